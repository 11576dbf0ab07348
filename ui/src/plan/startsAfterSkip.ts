import type { NodeId, NodeState, RunView } from "@/api/bindings";
import { withReachableNodes } from "./reachableNodes";

/**
 * The nodes that may start once `skipped` are skipped by hand, in plan order: all that have not
 * ended and wait for one of them, directly or through others. Whether one does start depends on trigger rules, limits, approvals and
 * the goal, which the executor decides. Pure.
 */
export function startsAfterSkip(
  run: Pick<RunView, "plan" | "nodes" | "summary">,
  skipped: readonly NodeId[],
): NodeId[] {
  // Nothing starts in a paused run, and Resume is a decision of its own.
  if (run.summary.state.state === "paused") return [];
  const left = new Set(skipped);
  const { nodes } = run.plan;
  // Nobody waits for the parent of a soft edge.
  const edges = run.plan.edges.filter(({ soft }) => !soft);
  const below = withReachableNodes({ nodes, edges }, left, "downstream");
  const open = new Set(run.nodes.filter(({ state }) => isOpen(state)).map(({ node }) => node));
  return nodes
    .filter(({ id, disabled }) => below.has(id) && !left.has(id) && open.has(id) && !disabled)
    .map(({ id }) => id);
}

/** Whether a node hasn't started, or was left out only because of its parents. */
function isOpen(state: NodeState): boolean {
  switch (state.state) {
    case "pending":
    case "blocked":
      return true;
    case "skipped":
      return ["parent_skipped", "not_taken", "jumped_over", "rule_not_met"].includes(
        state.reason.kind,
      );
    default:
      return false;
  }
}
