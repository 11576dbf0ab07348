import type { NodeId, Plan } from "@/api/bindings";
import { adjacencyOf } from "./reachability";

/**
 * The nodes and all their direct and indirect dependencies (`upstream`) or dependents
 * (`downstream`). Pure.
 */
export function withReachableNodes(
  plan: Pick<Plan, "nodes" | "edges">,
  ids: ReadonlySet<NodeId>,
  towards: "upstream" | "downstream",
): Set<NodeId> {
  const { parentsOf, childrenOf } = adjacencyOf(plan);
  const next = towards === "upstream" ? parentsOf : childrenOf;
  const found = new Set(ids);
  const open = [...ids];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const neighbor of next.get(node) ?? []) {
      if (found.has(neighbor)) continue;
      found.add(neighbor);
      open.push(neighbor);
    }
  }
  return found;
}
