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

const numbersCache = new WeakMap<Plan["nodes"], { edges: Plan["edges"]; numbers: Levels }>();

/**
 * The number of each node in topological order, from 1: parents before children, and otherwise in
 * the order of the plan file. Notes, which never run, have none. Cached per nodes and edges arrays.
 */
export function numberNodes(plan: Pick<Plan, "nodes" | "edges">): Levels {
  const before = numbersCache.get(plan.nodes);
  if (before?.edges === plan.edges) return before.numbers;
  const { parentsOf } = adjacencyOf(plan);
  const numbers = new Map<NodeId, number>();
  const seen = new Set<NodeId>();
  for (const { id, kind } of plan.nodes)
    if (kind.kind !== "note")
      visitAfterParents(
        id,
        (node) => parentsOf.get(node) ?? [],
        seen,
        (node) => numbers.set(node, numbers.size + 1),
      );
  numbersCache.set(plan.nodes, { edges: plan.edges, numbers });
  return numbers;
}

/** Not recursive, because a plan may be a chain of 10,000 nodes. A cycle is entered only once. */
function visitAfterParents(
  start: NodeId,
  parentsOf: (id: NodeId) => readonly NodeId[],
  seen: Set<NodeId>,
  visit: (id: NodeId) => void,
): void {
  if (seen.has(start)) return;
  seen.add(start);
  const open = [{ id: start, next: 0 }];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const parent = parentsOf(top.id)[top.next];
    top.next += 1;
    if (parent === undefined) {
      visit(top.id);
      open.pop();
    } else if (!seen.has(parent)) {
      seen.add(parent);
      open.push({ id: parent, next: 0 });
    }
  }
}
