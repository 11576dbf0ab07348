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

/** The backend inside the desktop window: one command for all operations, one event channel. */
export function tauriBackend(): Backend {
  return {
    call: (name, input) => ask<never>("operation", { name, input }),

    events: (listener: (signal: BackendEvent) => void) =>
      unlistenLater(
        listen<Change>("baton-event", ({ payload }) => listener({ kind: "event", event: payload })),
      ),

    async pickFile(kinds) {
      const path = await open({ multiple: false, filters: kinds });
      return path === null ? undefined : givenFile(path);
    },

    pickFolder: async () => (await open({ directory: true, multiple: false })) ?? undefined,

    async saveText(suggested, text, kinds) {
      const path = await save({ defaultPath: pathOf(suggested), filters: kinds });
      if (path === null) return undefined;
      await ask("write_picked_file", { path, text });
      return path;
    },

    async saveBytes(suggested, bytes, kinds) {
      const path = await save({ defaultPath: pathOf(suggested), filters: kinds });
      if (path === null) return undefined;
      await ask("write_picked_picture", { path, bytes: [...bytes] });
      return path;
    },

    notifications: shellNotices(),

    desktop: shellDesktop(),

    updates: {
      source: () => ask("update_source", {}),
      check: () => ask("check_for_update", {}),
      install: () => ask("install_update", {}),
      restart: () => ask("restart_after_update", {}),
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
              return listener({ kind: "dropped", files: payload.paths.map(givenFile) });
          }
        }),
      ),
  };
}

// Every system takes a slash.
function pathOf({ name, folder }: SuggestedFile): string {
  return folder ? `${folder}/${name}` : name;
}

/** The shell shows notices by itself and tells when one was pressed; the desktop needs no leave. */
function shellNotices(): DesktopNotifications {
  const shown = new Map<string, () => void>();
  let hearing = false;
  return {
    onByDefault: true,
    permission: () => "granted",
    requestPermission: async () => "granted",
    show({ key, title, body, onOpen }) {
      shown.set(key, onOpen);
      if (!hearing)
        void listen<string>("baton-notice-opened", ({ payload }) => shown.get(payload)?.());
      hearing = true;
      ask("show_notice", { key, title, body }).catch(() => shown.delete(key));
    },
  };
}

/** An arrival as the shell hands it over: files by their path. */
type Handed = Exclude<OpenRequest, { kind: "file" }> | { kind: "file"; path: string };

function shellDesktop(): Desktop {
  return {
    onOpenRequest(listener) {
      async function take() {
        for (const each of await ask<Handed[]>("take_arrivals", {}))
          listener(each.kind === "file" ? { kind: "file", file: givenFile(each.path) } : each);
      }
      const registration = listen("baton-arrived", () => void take());
      // What came while nobody listened is asked for once somebody does.
      void registration.then(take);
      return unlistenLater(registration);
    },
    onCloseRequest: (listener) =>
      unlistenLater(listen<CloseRequest>("baton-leaving", ({ payload }) => listener(payload))),
    answerCloseRequest: (decision) => ask("decide_leaving", { decision }),
    openDataFolder: () => ask("open_data_folder", {}),
  };
}

/** The shell reads only paths that the person has just picked or dropped. */
function givenFile(path: string): PickedFile {
  return { name: path, read: () => ask<string>("read_plan_file", { path }) };
}

function ask<Answer>(command: string, input: Record<string, unknown>): Promise<Answer> {
  return invoke<Answer>(command, input).catch((cause: unknown) => {
    throw ApiError.from(cause);
  });
}

/** The shell registers asynchronously; the caller may leave before that is done. */
function unlistenLater(registration: Promise<() => void>): () => void {
  return () => {
    void registration.then((unlisten) => unlisten());
  };
}
