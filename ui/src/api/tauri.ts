import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import { getCurrentWebview } from "@tauri-apps/api/webview";
import { open, save } from "@tauri-apps/plugin-dialog";
import { ApiError } from "./ApiError";
import type { Backend, Signal } from "./Backend";
import type { Change } from "./bindings";

/** The backend inside the desktop window: one command for all operations, one event channel. */
export function tauriBackend(): Backend {
  return {
    call: (name, input) =>
      invoke<never>("operation", { name, input }).catch((cause: unknown) => {
        throw ApiError.from(cause);
      }),

    events: (listener: (signal: Signal) => void) =>
      unlistenLater(
        listen<Change>("baton-event", ({ payload }) => listener({ kind: "event", event: payload })),
      ),

    async pickFile(kinds) {
      const path = await open({ multiple: false, filters: kinds });
      return path === null ? undefined : { kind: "path", path };
    },

    pickFolder: async () => (await open({ directory: true, multiple: false })) ?? undefined,

    pickSavePath: async (suggested, kinds) =>
      (await save({ defaultPath: suggested, filters: kinds })) ?? undefined,

    onFileDrop: (listener) =>
      unlistenLater(
        getCurrentWebview().onDragDropEvent(({ payload }) => {
          if (payload.type === "drop") listener(payload.paths);
        }),
      ),
  };
}

/** The shell registers asynchronously; the caller may leave before that is done. */
function unlistenLater(registration: Promise<() => void>): () => void {
  return () => {
    void registration.then((unlisten) => unlisten());
  };
}
