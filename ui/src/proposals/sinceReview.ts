import type { Edge, PlanDiff, ProposalView, ProposedChange } from "@/api/bindings";

/** What the graph of a proposal shows. */
type ShownGraph = Pick<ProposalView, "draft" | "base" | "diff">;

/** Whether a comparison found nothing. */
export function isEmptyDiff(diff: PlanDiff): boolean {
  return (
    diff.nodesAdded.length === 0 &&
    diff.nodesRemoved.length === 0 &&
    diff.nodesChanged.length === 0 &&
    diff.edgesAdded.length === 0 &&
    diff.edgesRemoved.length === 0 &&
    !diff.groupsChanged &&
    !diff.planChanged
  );
}

/**
 * The graph of a draft with only those differences marked that came after a person's last word.
 * Nodes that were removed since then are not in it: the earlier draft isn't loaded. Pure.
 */
export function graphSinceReview(
  draft: NonNullable<ProposalView["draft"]>,
  diff: PlanDiff,
): ShownGraph {
  const added = new Set(diff.nodesAdded);
  const addedEdges = new Set(diff.edgesAdded.map(edgeKey));
  const ids = new Set(draft.nodes.map(({ id }) => id));
  const isDrawn = ({ parent, child }: Edge) => ids.has(parent) && ids.has(child);
  const base = {
    ...draft,
    nodes: draft.nodes.filter(({ id }) => !added.has(id)),
    edges: [
      ...draft.edges.filter((edge) => !addedEdges.has(edgeKey(edge))),
      ...diff.edgesRemoved.filter(isDrawn),
    ],
  };
  return { draft, base, diff };
}

/** Whether a change of a proposal touches what came after a person's last word. */
export function isSinceReview(change: ProposedChange, diff: PlanDiff): boolean {
  switch (change.change) {
    case "add_node":
    case "remove_node":
    case "change_node": {
      const { node } = change;
      return [diff.nodesAdded, diff.nodesRemoved, diff.nodesChanged].some((all) =>
        all.includes(node),
      );
    }
    case "add_edge":
    case "remove_edge":
      return [...diff.edgesAdded, ...diff.edgesRemoved].some(
        (edge) => edgeKey(edge) === edgeKey(change.edge),
      );
    case "change_plan":
      return diff.planChanged || diff.groupsChanged;
  }
}

function edgeKey({ parent, child }: Edge): string {
  return `${parent} ${child}`;
}
