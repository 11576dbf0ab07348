import { useCallback } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/ApiError";
import type { PickedFile } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import { showToast } from "@/components/toasts";
import { importPlanFiles, planFileKinds } from "./importPlanFiles";

/** Takes in files and goes where the person has to look: the blueprint when all is well, else the list of faults. */
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
      showToast({ kind: "error", title: "The file was not imported", detail: message });
    }
  }, [backend, take]);

  return { take, pick };
}
