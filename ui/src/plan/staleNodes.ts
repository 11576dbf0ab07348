import type { NodeId, RunView } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { displayTitle } from "./nodeText";
import { adjacencyOf, reachable } from "./reachability";

/** Nodes of a run whose input has changed since they finished. Pure. */

/** The stale nodes, in plan order. */
export function staleNodes({ nodes }: Pick<RunView, "nodes">): NodeId[] {
  return nodes.filter(({ stale }) => stale).map(({ node }) => node);
}

/** The finished nodes downstream of `node`, which become stale when its handoff changes. */
export function nodesMadeStale(run: Pick<RunView, "nodes" | "plan">, node: NodeId): NodeId[] {
  const below = reachable(adjacencyOf(run.plan).childrenOf, node);
  return run.nodes
    .filter((each) => each.state.state === "done" && below.has(each.node))
    .map((each) => each.node);
}

const maxNamedNodes = 4;

/** Explains which finished nodes a change of the handoff of `node` makes stale. */
export function staleNotice(run: Pick<RunView, "nodes" | "plan">, node: NodeId): string {
  const stale = nodesMadeStale(run, node);
  if (stale.length === 0) return "No finished node used this handoff.";
  const titles = stale
    .slice(0, maxNamedNodes)
    .map((id) => displayTitle(run.plan.nodes.find((each) => each.id === id)?.title ?? ""));
  const rest = stale.length - titles.length;
  const named = [...titles, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  return `${formatCount(stale.length, "finished node")} ${stale.length === 1 ? "becomes" : "become"} stale: ${named}. ${stale.length === 1 ? "You can rerun it" : "You can rerun them"} afterwards.`;
}
