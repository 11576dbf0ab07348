import type { NodeId, NodeRunView } from "@/api/bindings";

type NodeUsage = Pick<NodeRunView, "node" | "used">;

/** The nodes whose agents reported a cost, costliest first. */
export function nodesByCost(nodes: readonly NodeUsage[]): NodeId[] {
  return nodes
    .filter((node) => costOf(node) > 0)
    .toSorted((one, other) => costOf(other) - costOf(one))
    .map(({ node }) => node);
}

/** What agents reported so far, in US dollars; 0 if they reported no cost. */
export function reportedCost(nodes: readonly NodeUsage[]): number {
  return nodes.reduce((sum, node) => sum + costOf(node), 0);
}

function costOf({ used }: NodeUsage): number {
  return used?.usd ?? 0;
}
