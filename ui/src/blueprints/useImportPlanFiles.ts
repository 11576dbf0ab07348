import { useCallback } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/ApiError";
import type { PickedFile } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import { showToast } from "@/components/toasts";
import { importPlanFiles, planFileKinds } from "./importPlanFiles";

/** Imports files, then opens the blueprint or the list of errors. */
export function useImportPlanFiles() {
  const backend = useBackend();
  const navigate = useNavigate();

  const take = useCallback(
    async (files: PickedFile[]) => {
      await navigate(await importPlanFiles(backend, files));
    },
    [backend, navigate],
  );

  const pick = useCallback(async () => {
    try {
      const file = await backend.pickFile(planFileKinds);
      if (file) await take([file]);
    } catch (cause) {
      const { message } = ApiError.from(cause);
      showToast({ kind: "error", title: "Couldn't import the file", detail: message });
    }
  }, [backend, take]);

  return { take, pick };
}
