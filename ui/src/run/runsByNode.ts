import type { NodeId, NodeRunView, RunView } from "@/api/bindings";

const knownRuns = new WeakMap<RunView, Map<NodeId, NodeRunView>>();
const noRuns = new Map<NodeId, NodeRunView>();

/** Returns the nodes of a run by id. */
export function runsByNode(run: RunView | undefined): ReadonlyMap<NodeId, NodeRunView> {
  if (!run) return noRuns;
  const known = knownRuns.get(run) ?? new Map(run.nodes.map((node) => [node.node, node]));
  knownRuns.set(run, known);
  return known;
}
