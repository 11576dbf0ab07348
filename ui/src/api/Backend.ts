import type { Change } from "./bindings";
import type { OperationInput, OperationName, OperationOutput } from "./operation";

/** What an event source tells: an event, or that some were missed and everything must be read again. */
export type Signal = { kind: "event"; event: Change } | { kind: "gap" };

/** A kind of file, as native dialogs and file inputs name it; extensions without the dot. */
export interface FileKind {
  name: string;
  extensions: string[];
}

/** A file that the person picked or dropped. */
export interface GivenFile {
  /** Its path where the shell knows it; in a browser only its name. */
  name: string;
  /** Reads it as UTF-8. Throws `ApiError`. */
  read(): Promise<string>;
}

/** What happens to files that are dragged over the window. */
export type FileDrag =
  | { kind: "over" }
  | { kind: "left" }
  | { kind: "dropped"; files: GivenFile[] };

/** The one door to Rust. Throws only `ApiError`. */
export interface Backend {
  call<O extends OperationName>(name: O, input: OperationInput<O>): Promise<OperationOutput<O>>;
  /** Listens until the returned function is called. */
  events(listener: (signal: Signal) => void): () => void;
  /** Asks for a file to open; `undefined` when the person closes the dialog. */
  pickFile(kinds: FileKind[]): Promise<GivenFile | undefined>;
  /** Asks for a folder; absent where the browser cannot give a path. */
  pickFolder?(): Promise<string | undefined>;
  /** Puts a text where the person wants it. Answers the path, or the name of a download; `undefined` when they close the dialog. */
  saveText(suggested: string, text: string, kinds: FileKind[]): Promise<string | undefined>;
  /** Hears of files that are dragged over the window until the returned function is called. */
  onFileDrag(listener: (drag: FileDrag) => void): () => void;
}
