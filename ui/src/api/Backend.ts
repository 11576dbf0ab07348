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

/** A word to the person outside the page, while they look elsewhere. */
export interface Notice {
  /** Tells it from others: the same key again replaces what is still shown. */
  key: string;
  title: string;
  body: string;
  /** The person pressed it; the window is in front again. */
  onOpen: () => void;
}

/** Whether notices may be shown, as the person or the system decided; `unasked` when nobody was asked yet. */
export type NoticeStanding = "granted" | "denied" | "unasked";

/** Notices of the desktop, outside the page. */
export interface Notices {
  /** Whether they are on before the person has said anything. */
  onByDefault: boolean;
  standing(): NoticeStanding;
  /** Asks the person for leave, where somebody has to. Call it from a press. */
  ask(): Promise<NoticeStanding>;
  /** Shows one, if that is possible; a desktop that shows none is no error. */
  show(notice: Notice): void;
}

/**
 * Whether somebody is behind the door: it `answers`, it is `silent`, or it has `refused` this page because the page's
 * leave is of an earlier start.
 */
export type Reach = "answers" | "silent" | "refused";

/** A place in the window that a link, a notice or the tray leads to. */
export type Place =
  | { page: "blueprints" | "new_blueprint" | "sessions" | "inbox" }
  | { page: "blueprint"; plan: string; run?: string }
  | { page: "node"; plan: string; node: string }
  | { page: "session"; session: string };

/** What somebody outside the window asks it to show. */
export type Arrival =
  | { kind: "place"; place: Place }
  | { kind: "file"; file: GivenFile }
  /** A link or file that leads nowhere; the reason is a sentence. */
  | { kind: "unknown"; what: string; reason: string };

/** The question what shall happen to runs when the window goes. */
export interface LeavingQuestion {
  /** Close the window, or quit the whole program. */
  wish: "close" | "quit";
  /** The titles of the runs that this program executes. */
  runs: string[];
  /** A sign in the tray would show the way back. */
  tray: boolean;
}

/** What a window of its own can do, beside a page in a browser. */
export interface Desktop {
  /** Hears of what is to be shown, also of what came before, until the returned function is called. */
  arrivals(listener: (arrival: Arrival) => void): () => void;
  /** Hears when the person closes the window while runs go on, until the returned function is called. */
  leaving(listener: (question: LeavingQuestion) => void): () => void;
  /** Answers that question. */
  decideLeaving(decision: "stay" | "background" | "quit"): Promise<void>;
  /** Shows the folder of Baton's data in the desktop's program for files. */
  openDataFolder(): Promise<void>;
}

/** Where a file is put unless the person wants it elsewhere. */
export interface SuggestedPlace {
  name: string;
  /** Without one it is the system's to choose; a browser always chooses itself. */
  folder?: string | null;
}

/** The one door to Rust. Throws only `ApiError`. */
export interface Backend {
  call<O extends OperationName>(name: O, input: OperationInput<O>): Promise<OperationOutput<O>>;
  /** Listens until the returned function is called. */
  events(listener: (signal: Signal) => void): () => void;
  /** Tells changes of the reach until the returned function is called; absent where the backend lives in this process. */
  onReach?(listener: (reach: Reach) => void): () => void;
  /** Asks for a file to open; `undefined` when the person closes the dialog. */
  pickFile(kinds: FileKind[]): Promise<GivenFile | undefined>;
  /** Asks for a folder; absent where the browser cannot give a path. */
  pickFolder?(): Promise<string | undefined>;
  /** Puts a text where the person wants it. Answers the path, or the name of a download; `undefined` when they close the dialog. */
  saveText(suggested: SuggestedPlace, text: string, kinds: FileKind[]): Promise<string | undefined>;
  /** The same for a picture, byte by byte. */
  saveBytes(
    suggested: SuggestedPlace,
    bytes: Uint8Array<ArrayBuffer>,
    kinds: FileKind[],
  ): Promise<string | undefined>;
  /** Absent in a browser. */
  desktop?: Desktop;
  /** Absent where nothing can be shown outside the page. */
  notices?: Notices;
  /** Hears of files that are dragged over the window until the returned function is called. */
  onFileDrag(listener: (drag: FileDrag) => void): () => void;
}
