import type { Node, NodeId, Plan } from "@/api/bindings";
import {
  conditionalEdgesIn,
  type DependencyLink,
  type EdgeCondition,
  parseConditionalEdgeKey,
  targetOf,
} from "./conditionalEdges";
import { removeEdges } from "./edits";
import { conditionOfHandle } from "./handles";
import { nodesById } from "./nodesById";

/** The dependencies of a plan in both directions. */
export interface Adjacency {
  childrenOf: ReadonlyMap<NodeId, readonly NodeId[]>;
  parentsOf: ReadonlyMap<NodeId, readonly NodeId[]>;
}

const known = new WeakMap<readonly Node[], { edges: Plan["edges"]; adjacency: Adjacency }>();
const noNodes: readonly NodeId[] = [];

/** The adjacency of a plan by its edges, branches and jumps. Cached per nodes and edges arrays. */
export function adjacencyOf(plan: Pick<Plan, "nodes" | "edges">): Adjacency {
  const before = known.get(plan.nodes);
  if (before?.edges === plan.edges) return before.adjacency;
  const childrenOf = new Map<NodeId, NodeId[]>();
  const parentsOf = new Map<NodeId, NodeId[]>();
  const link = ({ parent, child }: Pick<DependencyLink, "parent" | "child">) => {
    push(childrenOf, parent, child);
    push(parentsOf, child, parent);
  };
  for (const edge of plan.edges) link(edge);
  // An edge and a branch may lead to the same node.
  for (const condition of conditionalEdgesIn(plan))
    if (!childrenOf.get(condition.parent)?.includes(condition.child)) link(condition);
  const adjacency = { childrenOf, parentsOf };
  known.set(plan.nodes, { edges: plan.edges, adjacency });
  return adjacency;
}

function push(map: Map<NodeId, NodeId[]>, key: NodeId, item: NodeId): void {
  const items = map.get(key);
  if (items) items.push(item);
  else map.set(key, [item]);
}

/** Everything that can be reached from `start` along `next`, excluding `start`. */
export function reachable(
  next: ReadonlyMap<NodeId, readonly NodeId[]>,
  start: NodeId,
): Set<NodeId> {
  const found = new Set<NodeId>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const neighbor of next.get(node) ?? noNodes) {
      if (found.has(neighbor)) continue;
      found.add(neighbor);
      open.push(neighbor);
    }
  }
  return found;
}

/**
 * A shortest path from `start` to `end` along the edges, including both; undefined when there is
 * none.
 */
export function pathBetween(
  { childrenOf }: Adjacency,
  start: NodeId,
  end: NodeId,
): NodeId[] | undefined {
  const cameFrom = new Map<NodeId, NodeId | undefined>([[start, undefined]]);
  const open = [start];
  for (const node of open) {
    if (node === end) return walkBack(cameFrom, end);
    for (const child of childrenOf.get(node) ?? noNodes) {
      if (cameFrom.has(child)) continue;
      cameFrom.set(child, node);
      open.push(child);
    }
  }
  return undefined;
}

function walkBack(cameFrom: Map<NodeId, NodeId | undefined>, end: NodeId): NodeId[] {
  const path: NodeId[] = [];
  for (let at: NodeId | undefined = end; at !== undefined; at = cameFrom.get(at)) path.unshift(at);
  return path;
}

/** Why an edge is not allowed. */
export type Refusal =
  | { why: "itself" }
  | { why: "note" }
  | { why: "duplicate" }
  /** The nodes in order, the first repeated at the end. */
  | { why: "cycle"; path: NodeId[] };

/**
 * Why "`child` depends on `parent`" is not allowed; undefined when it is. With a `condition`,
 * checks the target of that branch or jump. The backend checks it too.
 */
export function connectionRefusal(
  plan: Pick<Plan, "nodes" | "edges">,
  parent: NodeId,
  child: NodeId,
  condition?: EdgeCondition,
): Refusal | undefined {
  if (parent === child) return { why: "itself" };
  const byId = nodesById(plan);
  const from = byId.get(parent);
  if (from?.kind.kind === "note" || byId.get(child)?.kind.kind === "note") return { why: "note" };
  const adjacency = adjacencyOf(plan);
  const there =
    condition === undefined
      ? adjacency.childrenOf.get(parent)?.includes(child)
      : from && targetOf(from, condition) === child;
  if (there) return { why: "duplicate" };
  const back = pathBetween(adjacency, child, parent);
  return back && { why: "cycle", path: [parent, ...back] };
}

/** Like `connectionRefusal`, for an edge that is being drawn or moved on the canvas. */
export function drawnRefusal(
  plan: Plan,
  redrawing: string | undefined,
  drawn: { source: NodeId; sourceHandle?: string | null | undefined; target: NodeId },
): Refusal | undefined {
  const { source, sourceHandle, target } = drawn;
  if (redrawing === undefined)
    return connectionRefusal(plan, source, target, conditionOfHandle(sourceHandle));
  return movedRefusal(plan, redrawing, source, target);
}

/** Like `connectionRefusal`, for moving an edge. Its current ends are allowed. */
export function movedRefusal(
  plan: Plan,
  key: string,
  parent: NodeId,
  child: NodeId,
): Refusal | undefined {
  const rest = removeEdges(plan, new Set([key]));
  return connectionRefusal(rest, parent, child, parseConditionalEdgeKey(key)?.kind);
}

/** The nodes that can't become a child of `node`, or with `as: "child"` a parent of it. */
export function refusedEnds(
  plan: Pick<Plan, "nodes" | "edges">,
  node: NodeId,
  as: "parent" | "child",
  condition?: EdgeCondition,
): Set<NodeId> {
  const { childrenOf, parentsOf } = adjacencyOf(plan);
  const [towards, away] = as === "parent" ? [parentsOf, childrenOf] : [childrenOf, parentsOf];
  const refused = reachable(towards, node);
  refused.add(node);
  // A branch may replace a plain edge to the same node.
  if (condition === undefined)
    for (const neighbor of away.get(node) ?? noNodes) refused.add(neighbor);
  for (const other of plan.nodes) {
    if (other.kind.kind === "note") refused.add(other.id);
    if (condition && other.id === node) {
      const target = targetOf(other, condition);
      if (target !== null) refused.add(target);
    }
  }
  return refused;
}

const maxTitleLength = 32;
const maxPathNodes = 6;

/** A refusal as text: "would create a cycle: A → B → A". */
export function refusalText(refusal: Refusal, plan: Pick<Plan, "nodes">): string {
  switch (refusal.why) {
    case "itself":
      return "a node can't depend on itself";
    case "note":
      return "notes have no dependencies";
    case "duplicate":
      return "they are already connected";
    case "cycle":
      return `would create a cycle: ${pathText(refusal.path, plan)}`;
  }
}

function pathText(path: readonly NodeId[], plan: Pick<Plan, "nodes">): string {
  const titles = path.map((id) => cut(plan.nodes.find((node) => node.id === id)?.title ?? "?"));
  if (titles.length <= maxPathNodes) return titles.join(" → ");
  const left = titles.length - maxPathNodes + 1;
  return [...titles.slice(0, maxPathNodes - 2), `${left} more`, titles.at(-1)].join(" → ");
}

function cut(title: string): string {
  const letters = Array.from(title.replace(/\s+/g, " "));
  return letters.length > maxTitleLength
    ? `${letters.slice(0, maxTitleLength - 1).join("")}…`
    : letters.join("");
}
