import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { PlanView } from "@/api/bindings";
import { showToast } from "@/components/toasts";
import { displayTitle } from "./nodeText";

/** Restores a deleted plan. Shows a toast and returns undefined if that fails. */
export async function restorePlan(
  backend: Pick<Backend, "call">,
  plan: string,
): Promise<PlanView | undefined> {
  try {
    return await backend.call("plan_restore", { plan });
  } catch (cause) {
    const detail = ApiError.from(cause).message;
    showToast({ kind: "error", title: "Couldn't restore the blueprint", detail });
    return undefined;
  }
}

/** Says that a plan was deleted, and offers to undo that. */
export function showDeletedToast(
  backend: Pick<Backend, "call">,
  { id, title }: { id: string; title: string },
  onRestored?: () => void,
): void {
  const undo = async () => {
    if (await restorePlan(backend, id)) onRestored?.();
  };
  showToast({
    kind: "info",
    title: "Blueprint deleted",
    detail: displayTitle(title),
    action: { label: "Undo", onAct: () => void undo() },
  });
}
