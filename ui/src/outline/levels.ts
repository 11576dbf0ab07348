import type { NodeId, Plan } from "@/api/bindings";
import { adjacencyOf } from "@/plan/reachability";

/** The deepest indentation; beyond it, titles would have no room. */
const maxIndentLevel = 8;

const levelsCache = new WeakMap<Plan["nodes"], { edges: Plan["edges"]; levels: Levels }>();

/** The length of the longest chain of dependencies before each node; 0 for nodes without any. */
export type Levels = ReadonlyMap<NodeId, number>;

/** The levels of a plan by its edges, branches and jumps. Cached per nodes and edges arrays. */
export function computeLevels(plan: Pick<Plan, "nodes" | "edges">): Levels {
  const before = levelsCache.get(plan.nodes);
  if (before?.edges === plan.edges) return before.levels;
  const levels = countLevels(plan);
  levelsCache.set(plan.nodes, { edges: plan.edges, levels });
  return levels;
}

function countLevels(plan: Pick<Plan, "nodes" | "edges">): Levels {
  const { parentsOf, childrenOf } = adjacencyOf(plan);
  const waits = new Map(plan.nodes.map(({ id }) => [id, parentsOf.get(id)?.length ?? 0]));
  const levels = new Map<NodeId, number>();
  // Topological order. Nodes on a cycle, which no saved plan has, keep level 0.
  const open = plan.nodes.flatMap(({ id }) => (waits.get(id) === 0 ? [id] : []));
  for (let at = 0; at < open.length; at += 1) {
    const id = open[at] as NodeId;
    const level = levels.get(id) ?? 0;
    for (const child of childrenOf.get(id) ?? []) {
      levels.set(child, Math.max(levels.get(child) ?? 0, level + 1));
      const left = (waits.get(child) ?? 0) - 1;
      waits.set(child, left);
      if (left === 0) open.push(child);
    }
  }
  return levels;
}

/** The indentation level of a node's row. */
export function indentOf(levels: Levels, id: NodeId): number {
  return Math.min(maxIndentLevel, levels.get(id) ?? 0);
}
