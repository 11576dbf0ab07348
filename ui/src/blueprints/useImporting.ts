import { useCallback } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/ApiError";
import type { GivenFile } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import { paths } from "@/app/paths";
import { showToast } from "@/components/toasts";
import { importFiles, planFileKinds } from "./imports";

/** Takes in files and goes where the person has to look: the blueprint when all is well, else the list of faults. */
export function useImporting() {
  const backend = useBackend();
  const navigate = useNavigate();

  const take = useCallback(
    async (files: GivenFile[]) => {
      const results = await importFiles(backend, files);
      const [first] = results;
      const clean = results.every(
        (result) => result.kind === "imported" && result.imported.warnings.length === 0,
      );
      if (!clean || first?.kind !== "imported") {
        await navigate(paths.newBlueprintFrom("import"));
        return;
      }
      showToast({
        kind: "info",
        title:
          results.length === 1 ? "Blueprint imported" : `${results.length} blueprints imported`,
      });
      await navigate(
        results.length === 1 ? paths.blueprint(first.imported.plan.plan.id) : paths.blueprints,
      );
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
