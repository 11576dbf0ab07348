import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import { getCurrentWebview } from "@tauri-apps/api/webview";
import { open, save } from "@tauri-apps/plugin-dialog";
import { ApiError } from "./ApiError";
import type {
  Backend,
  BackendEvent,
  CloseRequest,
  Desktop,
  DesktopNotifications,
  FileDrag,
  OpenRequest,
  PickedFile,
  SuggestedFile,
} from "./Backend";
import type { Change } from "./bindings";

/** The backend in the desktop window: one command for all operations, one event channel. */
export function tauriBackend(): Backend {
  return {
    call: (name, input) => callShell<never>("operation", { name, input }),

    events(listener: (signal: BackendEvent) => void) {
      const listening = listen<Change>("baton-event", ({ payload }) =>
        listener({ kind: "event", event: payload }),
      );
      // The page may have read something before.
      listening.then(
        () => listener({ kind: "gap" }),
        () => undefined,
      );
      return unlistenLater(listening);
    },

    async pickFile(kinds) {
      const path = await open({ multiple: false, filters: kinds });
      return path === null ? undefined : toPickedFile(path);
    },

    pickFolder: async () => (await open({ directory: true, multiple: false })) ?? undefined,

    async saveText(suggested, text, kinds) {
      const path = await save({ defaultPath: pathOf(suggested), filters: kinds });
      if (path === null) return undefined;
      await callShell("write_picked_file", { path, text });
      return path;
    },

    async saveBytes(suggested, bytes, kinds) {
      const path = await save({ defaultPath: pathOf(suggested), filters: kinds });
      if (path === null) return undefined;
      await callShell("write_picked_picture", { path, bytes: [...bytes] });
      return path;
    },

    async saveSessionOutput(session, stream, suggested) {
      const filters = [{ name: "Log", extensions: ["log", "txt"] }];
      const path = await save({ defaultPath: pathOf(suggested), filters });
      if (path === null) return undefined;
      await callShell("save_session_output", { session, stream, path });
      return path;
    },

    notifications: shellNotifications(),

    desktop: shellDesktop(),

    updates: {
      source: () => callShell("update_source", {}),
      check: () => callShell("check_for_update", {}),
      install: () => callShell("install_update", {}),
      restart: () => callShell("restart_after_update", {}),
    },

    onFileDrag: (listener: (drag: FileDrag) => void) =>
      unlistenLater(
        getCurrentWebview().onDragDropEvent(({ payload }) => {
          switch (payload.type) {
            case "enter":
            case "over":
              return listener({ kind: "over" });
            case "leave":
              return listener({ kind: "left" });
            case "drop":
              return listener({ kind: "dropped", files: payload.paths.map(toPickedFile) });
          }
        }),
      ),
  };
}

// All platforms accept a slash.
function pathOf({ name, folder }: SuggestedFile): string {
  return folder ? `${folder}/${name}` : name;
}

/** Rust shows the notifications and sends an event when one is clicked; no permission is needed. */
function shellNotifications(): DesktopNotifications {
  const shown = new Map<string, () => void>();
  let isListening = false;
  return {
    onByDefault: true,
    permission: () => "granted",
    requestPermission: async () => "granted",
    show({ key, title, body, onOpen }) {
      shown.set(key, onOpen);
      if (!isListening)
        void listen<string>("baton-notice-opened", ({ payload }) => shown.get(payload)?.());
      isListening = true;
      callShell("show_notice", { key, title, body }).catch(() => shown.delete(key));
    },
  };
}

/** An open request as Rust sends it: files by path. */
type ReceivedOpenRequest = Exclude<OpenRequest, { kind: "file" }> | { kind: "file"; path: string };

function shellDesktop(): Desktop {
  return {
    onOpenRequest(listener) {
      async function take() {
        for (const each of await callShell<ReceivedOpenRequest[]>("take_arrivals", {}))
          listener(each.kind === "file" ? { kind: "file", file: toPickedFile(each.path) } : each);
      }
      const registration = listen("baton-arrived", () => void take());
      // Fetch the requests that came before the listener was registered.
      void registration.then(take);
      return unlistenLater(registration);
    },
    onCloseRequest: (listener) =>
      unlistenLater(listen<CloseRequest>("baton-leaving", ({ payload }) => listener(payload))),
    answerCloseRequest: (decision) => callShell("decide_leaving", { decision }),
    openDataFolder: () => callShell("open_data_folder", {}),
  };
}

/** Rust only reads paths that were just picked or dropped. */
function toPickedFile(path: string): PickedFile {
  return { name: path, read: () => callShell<string>("read_plan_file", { path }) };
}

function callShell<Answer>(command: string, input: Record<string, unknown>): Promise<Answer> {
  return invoke<Answer>(command, input).catch((cause: unknown) => {
    throw ApiError.from(cause);
  });
}

/** Registration is asynchronous; the caller may unsubscribe before it is done. */
function unlistenLater(registration: Promise<() => void>): () => void {
  return () => {
    void registration.then((unlisten) => unlisten());
  };
}
