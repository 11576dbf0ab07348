import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import { operationKey } from "@/api/queries";
import { showToast } from "@/components/toasts";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { DeleteDialog } from "@/plan/DeleteDialog";
import { useEditor } from "@/plan/editor";
import { countRunnable } from "@/plan/nodeCounts";
import { showDeletedToast } from "@/plan/restorePlan";
import { paths } from "@/shell/paths";

/** Confirms the deletion of the open blueprint, then returns to the list. */
export function DeletePlanDialog(): ReactElement | null {
  const { editor, page } = useBlueprint();
  const open = usePage((state) => state.deleting);
  const { id, title, nodes } = useEditor((state) => state.plan);
  const backend = useBackend();
  const client = useQueryClient();
  const navigate = useNavigate();
  if (!open) return null;

  async function remove() {
    try {
      // Undo brings back what was stored.
      await editor.getState().flush();
      await backend.call("plan_delete", { plan: id });
      await navigate(paths.blueprints);
      // It may have been read again, with an error that would outlive the undo.
      client.removeQueries({ queryKey: operationKey("plan_get", { plan: id }) });
      showDeletedToast(backend, { id, title }, () => void navigate(paths.blueprint(id)));
    } catch (cause) {
      const detail = ApiError.from(cause).message;
      showToast({ kind: "error", title: "Couldn't delete the blueprint", detail });
      page.setState({ deleting: false });
    }
  }

  return (
    <DeleteDialog
      plan={{ id, title, nodeCount: countRunnable(nodes) }}
      onClose={() => page.setState({ deleting: false })}
      onDelete={remove}
    />
  );
}
