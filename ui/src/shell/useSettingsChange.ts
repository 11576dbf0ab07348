import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { Settings } from "@/api/bindings";
import { operationKey } from "@/api/queries";
import { showToast } from "@/components/toasts";

/** Changes some settings and keeps the others as they are stored. */
export function useSettingsChange(): (change: Partial<Settings>) => Promise<void> {
  const backend = useBackend();
  const client = useQueryClient();
  return useCallback(
    async (change) => {
      try {
        // Another window or the shell may have changed settings since they were loaded here.
        const current = await backend.call("settings_get", {});
        const saved = await backend.call("settings_save", { ...current, ...change });
        client.setQueryData(operationKey("settings_get", {}), saved);
      } catch (cause) {
        const { message } = ApiError.from(cause);
        showToast({ kind: "error", title: "Couldn't save the setting", detail: message });
      }
    },
    [backend, client],
  );
}
