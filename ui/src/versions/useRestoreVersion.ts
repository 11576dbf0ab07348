import { useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { PlanSaved, PlanView } from "@/api/bindings";
import { operationKey } from "@/api/queries";
import { showToast } from "@/components/toasts";

/**
 * Returns a function that restores a version of the plan in `view`, and offers to undo it by
 * restoring `latest`. It resolves to whether the version was restored.
 */
export function useRestoreVersion() {
  const backend = useBackend();
  const client = useQueryClient();

  async function put(plan: string, version: number, baseRevision: number): Promise<PlanSaved> {
    const saved = await backend.call("plan_restore_version", { plan, version, baseRevision });
    // The page that opens next has the new content at once.
    await client.invalidateQueries({ queryKey: operationKey("plan_get", { plan }) });
    return saved;
  }

  async function attempt(title: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (cause) {
      showToast({ kind: "error", title, detail: ApiError.from(cause).message });
      return false;
    }
  }

  return (view: PlanView, version: number, latest: number): Promise<boolean> =>
    attempt(`Couldn't restore version ${version}`, async () => {
      const plan = view.plan.id;
      const saved = await put(plan, version, view.revision);
      const undo = () =>
        attempt(`Couldn't undo restoring version ${version}`, async () => {
          await put(plan, latest, saved.revision);
        });
      showToast({
        kind: "info",
        title: `Version ${version} restored`,
        detail: `Its content is now version ${saved.version}.`,
        action: { label: "Undo", onAct: () => void undo() },
      });
    });
}
