import type { NodeId, Plan } from "@/api/bindings";
import { adjacencyOf } from "./reachability";

/** What is selected together with what: kin of a selection. Pure. */

/** The nodes, and everything that they wait for or that waits for them, all the way. */
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
    for (const kin of next.get(node) ?? []) {
      if (found.has(kin)) continue;
      found.add(kin);
      open.push(kin);
    }
  }
  return found;
}
