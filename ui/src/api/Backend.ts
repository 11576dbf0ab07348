import type { Change } from "./bindings";
import type { OperationInput, OperationName, OperationOutput } from "./operation";

/** What an event source tells: an event, or that some were missed and everything must be read again. */
export type Signal = { kind: "event"; event: Change } | { kind: "gap" };

/** A kind of file, as native dialogs and file inputs name it; extensions without the dot. */
export interface FileKind {
  name: string;
  extensions: string[];
}

/** A file as the person gave it: its name and, read or by path, its content. */
export type PickedFile =
  | { kind: "path"; path: string }
  | { kind: "text"; name: string; text: string };

/** The one door to Rust. Throws only `ApiError`. */
export interface Backend {
  call<O extends OperationName>(name: O, input: OperationInput<O>): Promise<OperationOutput<O>>;
  /** Listens until the returned function is called. */
  events(listener: (signal: Signal) => void): () => void;
  /** Asks for a file to open; `undefined` when the person closes the dialog. */
  pickFile(kinds: FileKind[]): Promise<PickedFile | undefined>;
  /** Asks for a folder; absent where the browser cannot give a path. */
  pickFolder?(): Promise<string | undefined>;
  /** Asks where to put a file; absent in a browser, which downloads instead. */
  pickSavePath?(suggested: string, kinds: FileKind[]): Promise<string | undefined>;
  /** Files dropped on the window by the shell; absent in a browser, where pages take the DOM's own drop. */
  onFileDrop?(listener: (paths: string[]) => void): () => void;
}
