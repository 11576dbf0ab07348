import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { NodeId } from "@/api/bindings";
import { showToast } from "@/components/toasts";
import { paths } from "@/shell/paths";
import type { Editor } from "./editor";
import { subPlanIdOf } from "./kindSummary";
import { findPlanByName } from "./subPlans";

/**
 * Opens the blueprint that a node runs: its run within the shown run, or else the blueprint itself.
 * Both pages link back.
 */
export function createOpenSubPlan(
  editor: Editor,
  backend: Pick<Backend, "call">,
  go: (address: string) => void,
) {
  return async function open(id: NodeId): Promise<void> {
    const { plan, run } = editor.getState();
    const child = run?.children.findLast(({ node }) => node === id);
    if (child) return go(paths.blueprintAt(child.plan, { run: child.run }));
    const node = plan.nodes.find((candidate) => candidate.id === id);
    const named = node && subPlanIdOf(node);
    if (named === undefined) return;
    try {
      const inside = findPlanByName(await backend.call("plans_list", {}), named);
      if (inside) return go(paths.blueprintFrom(inside.id, { plan: plan.id, node: id }));
      editor.getState().select([id]);
      showToast({
        kind: "error",
        title: "Nothing to open yet",
        detail:
          named.trim() === ""
            ? "In the inspector, choose the blueprint that this node runs."
            : `No blueprint is named “${named}”. Choose another one in the inspector.`,
      });
    } catch (cause) {
      showToast({
        kind: "error",
        title: "Couldn't open the blueprint",
        detail: ApiError.from(cause).message,
      });
    }
  };
}

export type OpenSubPlan = ReturnType<typeof createOpenSubPlan>;
