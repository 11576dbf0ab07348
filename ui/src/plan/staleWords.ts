import type { NodeId, RunView } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { titleWords } from "./nodeWords";
import { adjacencyOf, reachable } from "./reachability";

/** What was built on something that has changed since, in a run. Pure. */

/** The nodes that are stale, in plan order. */
export function staleNodes({ nodes }: Pick<RunView, "nodes">): NodeId[] {
  return nodes.filter(({ stale }) => stale).map(({ node }) => node);
}

/** The finished nodes below `node`: they become stale when what it handed on changes. */
export function becomesStale(run: Pick<RunView, "nodes" | "plan">, node: NodeId): NodeId[] {
  const below = reachable(adjacencyOf(run.plan).childrenOf, node);
  return run.nodes
    .filter((each) => each.state.state === "done" && below.has(each.node))
    .map((each) => each.node);
}

const mostNamed = 4;

/** What a change of the handoff of `node` means for finished nodes, in a sentence. */
export function staleNotice(run: Pick<RunView, "nodes" | "plan">, node: NodeId): string {
  const stale = becomesStale(run, node);
  if (stale.length === 0) return "No finished node has built on this handoff.";
  const titles = stale
    .slice(0, mostNamed)
    .map((id) => titleWords(run.plan.nodes.find((each) => each.id === id)?.title ?? ""));
  const rest = stale.length - titles.length;
  const named = [...titles, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  return `${formatCount(stale.length, "finished node")} ${stale.length === 1 ? "becomes" : "become"} stale: ${named}. ${stale.length === 1 ? "It can" : "They can"} be run again afterwards.`;
}
