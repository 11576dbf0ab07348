import type { Change } from "./bindings";
import type { OperationInput, OperationName, OperationOutput } from "./operation";

/** What an event source tells: an event, or that some were missed and everything must be read again. */
export type BackendEvent = { kind: "event"; event: Change } | { kind: "gap" };

/** A kind of file, as native dialogs and file inputs name it; extensions without the dot. */
export interface FileKind {
  name: string;
  extensions: string[];
}

/** A file that the person picked or dropped. */
export interface PickedFile {
  /** Its path where the shell knows it; in a browser only its name. */
  name: string;
  /** Reads it as UTF-8. Throws `ApiError`. */
  read(): Promise<string>;
}

/** What happens to files that are dragged over the window. */
export type FileDrag =
  | { kind: "over" }
  | { kind: "left" }
  | { kind: "dropped"; files: PickedFile[] };

/** A word to the person outside the page, while they look elsewhere. */
export interface DesktopNotification {
  /** Tells it from others: the same key again replaces what is still shown. */
  key: string;
  title: string;
  body: string;
  /** The person pressed it; the window is in front again. */
  onOpen: () => void;
}

/** Whether notices may be shown, as the person or the system decided; `unasked` when nobody was asked yet. */
export type NotificationPermissionState = "granted" | "denied" | "unasked";

/** Notices of the desktop, outside the page. */
export interface DesktopNotifications {
  /** Whether they are on before the person has said anything. */
  onByDefault: boolean;
  permission(): NotificationPermissionState;
  /** Asks the person for leave, where somebody has to. Call it from a press. */
  requestPermission(): Promise<NotificationPermissionState>;
  /** Shows one, if that is possible; a desktop that shows none is no error. */
  show(notice: DesktopNotification): void;
}

/**
 * Whether somebody is behind the door: it `answers`, it is `silent`, or it has `refused` this page because the page's
 * leave is of an earlier start.
 */
export type ConnectionState = "answers" | "silent" | "refused";

/** A place in the window that a link, a notice or the tray leads to. */
export type AppLocation =
  | { page: "blueprints" | "new_blueprint" | "sessions" | "inbox" }
  | { page: "blueprint"; plan: string; run?: string }
  | { page: "node"; plan: string; node: string }
  | { page: "session"; session: string };

/** What somebody outside the window asks it to show. */
export type OpenRequest =
  | { kind: "place"; place: AppLocation }
  | { kind: "file"; file: PickedFile }
  /** A link or file that leads nowhere; the reason is a sentence. */
  | { kind: "unknown"; what: string; reason: string };

/** The question what shall happen to runs when the window goes. */
export interface CloseRequest {
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
  onOpenRequest(listener: (arrival: OpenRequest) => void): () => void;
  /** Hears when the person closes the window while runs go on, until the returned function is called. */
  onCloseRequest(listener: (question: CloseRequest) => void): () => void;
  /** Answers that question. */
  answerCloseRequest(decision: "stay" | "background" | "quit"): Promise<void>;
  /** Shows the folder of Baton's data in the desktop's program for files. */
  openDataFolder(): Promise<void>;
}

/** Where a copy of Baton gets its updates. */
export type UpdateSource = "releases" | "package_manager" | "none";

/** A newer version. */
export interface AvailableUpdate {
  version: string;
  currentVersion: string;
  /** What is new, as Markdown. */
  notes: string | null;
}

/** Updates of the window's own program. */
export interface Updates {
  source(): Promise<UpdateSource>;
  /** Asks for a newer version; `null` when there is none. */
  check(): Promise<AvailableUpdate | null>;
  /** Downloads, verifies and installs what `check` found last. */
  install(): Promise<void>;
  /** Starts the installed version in place of this one. */
  restart(): Promise<void>;
}

/** Where a file is put unless the person wants it elsewhere. */
export interface SuggestedFile {
  name: string;
  /** Without one it is the system's to choose; a browser always chooses itself. */
  folder?: string | null;
}

/** The one door to Rust. Throws only `ApiError`. */
export interface Backend {
  call<O extends OperationName>(name: O, input: OperationInput<O>): Promise<OperationOutput<O>>;
  /** Listens until the returned function is called. */
  events(listener: (signal: BackendEvent) => void): () => void;
  /** Tells changes of the reach until the returned function is called; absent where the backend lives in this process. */
  onConnectionChange?(listener: (reach: ConnectionState) => void): () => void;
  /** Asks for a file to open; `undefined` when the person closes the dialog. */
  pickFile(kinds: FileKind[]): Promise<PickedFile | undefined>;
  /** Asks for a folder; absent where the browser cannot give a path. */
  pickFolder?(): Promise<string | undefined>;
  /** Puts a text where the person wants it. Answers the path, or the name of a download; `undefined` when they close the dialog. */
  saveText(suggested: SuggestedFile, text: string, kinds: FileKind[]): Promise<string | undefined>;
  /** The same for a picture, byte by byte. */
  saveBytes(
    suggested: SuggestedFile,
    bytes: Uint8Array<ArrayBuffer>,
    kinds: FileKind[],
  ): Promise<string | undefined>;
  /** Absent in a browser. */
  desktop?: Desktop;
  /** Absent in a browser. */
  updates?: Updates;
  /** Absent where nothing can be shown outside the page. */
  notifications?: DesktopNotifications;
  /** Hears of files that are dragged over the window until the returned function is called. */
  onFileDrag(listener: (drag: FileDrag) => void): () => void;
}
