import type { Node, NodeId, Plan } from "@/api/bindings";

const cache = new WeakMap<readonly Node[], ReadonlyMap<NodeId, Node>>();

/** A plan's nodes by id. The map is cached for as long as the node array keeps its identity. */
export function nodesById({ nodes }: Pick<Plan, "nodes">): ReadonlyMap<NodeId, Node> {
  const cached = cache.get(nodes);
  if (cached) return cached;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  cache.set(nodes, byId);
  return byId;
}
