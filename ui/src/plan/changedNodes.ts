import type { NodeId, Plan } from "@/api/bindings";
import { edgeKey } from "./edgeKey";
import { nodesById } from "./nodesById";

/**
 * The nodes of `after` that an edit added or changed, and those between which it added, changed or
 * removed an edge, in the order of the plan. The edges of nodes that it added or removed say nothing
 * about their other ends. Pure.
 */
export function changedNodes(before: Plan, after: Plan): NodeId[] {
  const was = nodesById(before);
  const is = nodesById(after);
  const atEdges = new Set(
    changedEdges(before, after)
      .filter(({ parent, child }) => [parent, child].every((id) => was.has(id) && is.has(id)))
      .flatMap(({ parent, child }) => [parent, child]),
  );
  return after.nodes
    .filter((node) => node !== was.get(node.id) || atEdges.has(node.id))
    .map(({ id }) => id);
}

function changedEdges(before: Plan, after: Plan): Plan["edges"] {
  if (before.edges === after.edges) return [];
  const soft = (plan: Plan) => new Map(plan.edges.map((edge) => [edgeKey(edge), edge.soft]));
  const [was, is] = [soft(before), soft(after)];
  return [...before.edges, ...after.edges].filter(
    (edge) => was.get(edgeKey(edge)) !== is.get(edgeKey(edge)),
  );
}
