import type { Change, SessionId, Stream } from "./bindings";
import type { ConnectionState } from "./connection";
import type { OperationInput, OperationName, OperationOutput } from "./operation";

/** A change event, or a gap: some events were missed and everything must be refetched. */
export type BackendEvent = { kind: "event"; event: Change } | { kind: "gap" };

/** A file type for native dialogs and file inputs; extensions without the dot. */
export interface FileKind {
  name: string;
  extensions: string[];
}

/** A file that was picked or dropped. */
export interface PickedFile {
  /** The path in the desktop app; in a browser only the file name. */
  name: string;
  /** Reads the file as UTF-8. Throws `ApiError`. */
  read(): Promise<string>;
}

/** A drag of files over the window. */
export type FileDrag =
  | { kind: "over" }
  | { kind: "left" }
  | { kind: "dropped"; files: PickedFile[] };

/** A notification outside the page, for when the window is in the background. */
export interface DesktopNotification {
  /** Identifies it: a notification with the same key replaces one that is still shown. */
  key: string;
  title: string;
  body: string;
  /** Called on a click. The window is already in front. */
  onOpen: () => void;
}

/** Whether notifications may be shown; `unasked` when permission was not requested yet. */
export type NotificationPermissionState = "granted" | "denied" | "unasked";

/** Desktop notifications, outside the page. */
export interface DesktopNotifications {
  /** Whether they are on until the setting is changed. */
  onByDefault: boolean;
  permission(): NotificationPermissionState;
  /** Requests permission, where that is needed. Call it in response to a click. */
  requestPermission(): Promise<NotificationPermissionState>;
  /** Shows a notification, if possible; a desktop without notifications is not an error. */
  show(notice: DesktopNotification): void;
}

/** The connection to a backend in another process. */
export interface BackendConnection {
  state(): ConnectionState;
  /** Calls back when the state changes. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Tries to connect now. */
  retry(): void;
  /** Connects with a token that was just given to the page. */
  takeToken(): void;
}

/** A place in the window that a link, a notification or the tray opens. */
export type AppLocation =
  | { page: "blueprints" | "new_blueprint" | "sessions" | "inbox" }
  | { page: "blueprint"; plan: string; run?: string }
  | { page: "node"; plan: string; node: string }
  | { page: "session"; session: string };

/** A request from outside the window to show something. */
export type OpenRequest =
  | { kind: "place"; place: AppLocation }
  | { kind: "file"; file: PickedFile }
  /** An invalid link or file; the reason is a sentence. */
  | { kind: "unknown"; what: string; reason: string };

/** Asks what happens to runs and to programs in terminals when the window closes. */
export interface CloseRequest {
  /** Whether to close the window or quit the program. */
  wish: "close" | "quit";
  /** The titles of the runs that this process executes. */
  runs: string[];
  /** The programs that run in terminals. They end when the program quits. */
  programs: string[];
  /** Whether a tray icon can reopen the window. */
  tray: boolean;
}

/** Features of the desktop app that a browser lacks. */
export interface Desktop {
  /** Subscribes to open requests, including earlier ones. Returns a function that unsubscribes. */
  onOpenRequest(listener: (arrival: OpenRequest) => void): () => void;
  /**
   * Called when the window is closed while runs are active or programs run in terminals. Returns a function that unsubscribes.
   */
  onCloseRequest(listener: (question: CloseRequest) => void): () => void;
  /** Answers the close request. */
  answerCloseRequest(decision: "stay" | "background" | "quit"): Promise<void>;
  /** Opens Baton's data directory in the file manager. */
  openDataFolder(): Promise<void>;
}

/** Where this installation gets its updates. */
export type UpdateSource = "releases" | "package_manager" | "none";

/** An update that `check` found. */
export interface AvailableUpdate {
  version: string;
  currentVersion: string;
  /** The release notes, as Markdown. */
  notes: string | null;
}

/** Updates of the desktop app. */
export interface Updates {
  source(): Promise<UpdateSource>;
  /** Checks for a newer version; `null` when there is none. */
  check(): Promise<AvailableUpdate | null>;
  /** Downloads, verifies and installs the update that `check` found last. */
  install(): Promise<void>;
  /** Restarts into the installed version. */
  restart(): Promise<void>;
}

/** The suggested name and folder in a save dialog. */
export interface SuggestedFile {
  name: string;
  /** Without one the system chooses. Browsers ignore it. */
  folder?: string | null;
}

/** All access to the Rust backend. Throws only `ApiError`. */
export interface Backend {
  call<O extends OperationName>(name: O, input: OperationInput<O>): Promise<OperationOutput<O>>;
  /** Subscribes to events. Returns a function that unsubscribes. */
  events(listener: (signal: BackendEvent) => void): () => void;
  /** Absent where the backend is in this process. */
  connection?: BackendConnection;
  /** The id of the data that the backend answers from, once known. */
  dataId?(): string | undefined;
  /** Opens a file dialog; `undefined` when it is canceled. */
  pickFile(kinds: FileKind[]): Promise<PickedFile | undefined>;
  /** Opens a folder dialog. Absent in a browser, which can't return a path. */
  pickFolder?(): Promise<string | undefined>;
  /**
   * Saves a text where the person chooses. Returns the path, or the name of a download; `undefined`
   * when the dialog is canceled.
   */
  saveText(suggested: SuggestedFile, text: string, kinds: FileKind[]): Promise<string | undefined>;
  /** Like `saveText`, for the bytes of a picture. */
  saveBytes(
    suggested: SuggestedFile,
    bytes: Uint8Array<ArrayBuffer>,
    kinds: FileKind[],
  ): Promise<string | undefined>;
  /**
   * Saves the raw output of a session where the person chooses. Returns the path, or the name of a
   * download; `undefined` when the dialog is canceled.
   */
  saveSessionOutput(
    session: SessionId,
    stream: Stream,
    suggested: SuggestedFile,
  ): Promise<string | undefined>;
  /** Absent in a browser. */
  desktop?: Desktop;
  /** Absent in a browser. */
  updates?: Updates;
  /** Absent where no notifications can be shown. */
  notifications?: DesktopNotifications;
  /** Subscribes to file drags over the window. Returns a function that unsubscribes. */
  onFileDrag(listener: (drag: FileDrag) => void): () => void;
}
