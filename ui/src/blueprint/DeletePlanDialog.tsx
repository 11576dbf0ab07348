import type { ReactElement } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import { showToast } from "@/components/toasts";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { DeleteDialog } from "@/plan/DeleteDialog";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";

/** Confirms the deletion of the open blueprint, then returns to the list. */
export function DeletePlanDialog(): ReactElement | null {
  const { page } = useBlueprint();
  const open = usePage((state) => state.deleting);
  const { id, title, nodes } = useEditor((state) => state.plan);
  const backend = useBackend();
  const navigate = useNavigate();
  if (!open) return null;

  async function remove() {
    try {
      await backend.call("plan_delete", { plan: id });
      showToast({ kind: "info", title: "Blueprint deleted", detail: displayTitle(title) });
      await navigate(paths.blueprints);
    } catch (cause) {
      const detail = ApiError.from(cause).message;
      showToast({ kind: "error", title: "Couldn't delete the blueprint", detail });
      page.setState({ deleting: false });
    }
  }

  return (
    <DeleteDialog
      plan={{ id, title, nodeCount: nodes.length }}
      onClose={() => page.setState({ deleting: false })}
      onDelete={remove}
    />
  );
}
