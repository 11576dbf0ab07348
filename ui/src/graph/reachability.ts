import type { Edge, NodeId, Plan } from "@/api/bindings";

/** Who depends on whom, both ways. */
export interface Adjacency {
  childrenOf: ReadonlyMap<NodeId, readonly NodeId[]>;
  parentsOf: ReadonlyMap<NodeId, readonly NodeId[]>;
}

const known = new WeakMap<readonly Edge[], Adjacency>();
const nobody: readonly NodeId[] = [];

/** The adjacency of a plan's edges, kept as long as the list of edges is the same object. */
export function adjacencyOf(edges: readonly Edge[]): Adjacency {
  const before = known.get(edges);
  if (before) return before;
  const childrenOf = new Map<NodeId, NodeId[]>();
  const parentsOf = new Map<NodeId, NodeId[]>();
  for (const { parent, child } of edges) {
    push(childrenOf, parent, child);
    push(parentsOf, child, parent);
  }
  const adjacency = { childrenOf, parentsOf };
  known.set(edges, adjacency);
  return adjacency;
}

function push(map: Map<NodeId, NodeId[]>, key: NodeId, item: NodeId): void {
  const items = map.get(key);
  if (items) items.push(item);
  else map.set(key, [item]);
}

/** Everything that can be reached from `start` along `next`, without `start` itself. */
export function reachable(
  next: ReadonlyMap<NodeId, readonly NodeId[]>,
  start: NodeId,
): Set<NodeId> {
  const found = new Set<NodeId>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const neighbour of next.get(node) ?? nobody) {
      if (found.has(neighbour)) continue;
      found.add(neighbour);
      open.push(neighbour);
    }
  }
  return found;
}

/** A shortest way from `start` to `end` along the edges, both included; none when there is no way. */
export function pathBetween(
  { childrenOf }: Adjacency,
  start: NodeId,
  end: NodeId,
): NodeId[] | undefined {
  const cameFrom = new Map<NodeId, NodeId | undefined>([[start, undefined]]);
  const open = [start];
  for (const node of open) {
    if (node === end) return walkBack(cameFrom, end);
    for (const child of childrenOf.get(node) ?? nobody) {
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

/** Why an edge may not be drawn. */
export type Refusal =
  | { why: "itself" }
  | { why: "note" }
  | { why: "duplicate" }
  /** The nodes in order, the first repeated at the end. */
  | { why: "cycle"; path: NodeId[] };

/** What speaks against "`child` depends on `parent`"; nothing when it may be drawn. The backend checks again. */
export function connectionRefusal(
  plan: Pick<Plan, "nodes" | "edges">,
  parent: NodeId,
  child: NodeId,
): Refusal | undefined {
  if (parent === child) return { why: "itself" };
  const isNote = (id: NodeId) =>
    plan.nodes.some((node) => node.id === id && node.kind.kind === "note");
  if (isNote(parent) || isNote(child)) return { why: "note" };
  const adjacency = adjacencyOf(plan.edges);
  if (adjacency.childrenOf.get(parent)?.includes(child)) return { why: "duplicate" };
  const back = pathBetween(adjacency, child, parent);
  return back && { why: "cycle", path: [parent, ...back] };
}

/** The nodes that may not become a child of `parent`, or with `as: "child"` a parent of it. */
export function refusedEnds(
  plan: Pick<Plan, "nodes" | "edges">,
  node: NodeId,
  as: "parent" | "child",
): Set<NodeId> {
  const { childrenOf, parentsOf } = adjacencyOf(plan.edges);
  const [towards, away] = as === "parent" ? [parentsOf, childrenOf] : [childrenOf, parentsOf];
  const refused = reachable(towards, node);
  refused.add(node);
  for (const neighbour of away.get(node) ?? nobody) refused.add(neighbour);
  for (const other of plan.nodes) if (other.kind.kind === "note") refused.add(other.id);
  return refused;
}

const longestTitle = 32;
const mostInPath = 6;

/** A refusal for people: "would close a cycle: A → B → A". */
export function refusalWords(refusal: Refusal, plan: Pick<Plan, "nodes">): string {
  switch (refusal.why) {
    case "itself":
      return "a node cannot depend on itself";
    case "note":
      return "notes have no dependencies";
    case "duplicate":
      return "they are connected already";
    case "cycle":
      return `would close a cycle: ${pathWords(refusal.path, plan)}`;
  }
}

function pathWords(path: readonly NodeId[], plan: Pick<Plan, "nodes">): string {
  const titles = path.map((id) => cut(plan.nodes.find((node) => node.id === id)?.title ?? "?"));
  if (titles.length <= mostInPath) return titles.join(" → ");
  const left = titles.length - mostInPath + 1;
  return [...titles.slice(0, mostInPath - 2), `${left} more`, titles.at(-1)].join(" → ");
}

function cut(title: string): string {
  const letters = Array.from(title.replace(/\s+/g, " "));
  return letters.length > longestTitle
    ? `${letters.slice(0, longestTitle - 1).join("")}…`
    : letters.join("");
}
