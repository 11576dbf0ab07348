import type { Node, NodeId, Plan } from "@/api/bindings";
import { changeNode } from "@/blueprint/edits";

/** The value that all nodes share; `undefined` where they differ. */
export function shared<Value>(
  nodes: readonly Node[],
  read: (node: Node) => Value,
): Value | undefined {
  const [first] = nodes;
  if (!first) return undefined;
  const value = read(first);
  return nodes.every((node) => read(node) === value) ? value : undefined;
}

/** The plan with one change made to several nodes. */
export function changeNodes(plan: Plan, ids: Iterable<NodeId>, change: (node: Node) => Node): Plan {
  let changed = plan;
  for (const id of ids) changed = changeNode(changed, id, change);
  return changed;
}
