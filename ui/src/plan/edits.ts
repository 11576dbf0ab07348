import type { Edge, Group, Node, NodeId, NodePlacement, Plan, Position } from "@/api/bindings";
import {
  allEdges,
  type ConditionalEdge,
  clearTargets,
  conditionalEdgeKey,
  conditionalEdgesIn,
  coversPlainEdge,
  type EdgeCondition,
  mapTargets,
  parseConditionalEdgeKey,
  setTarget,
} from "./conditionalEdges";
import { edgeKey } from "./edgeKey";
import { groupOf, moveToGroup, withoutMembers } from "./groups";
import { blankKind, blankTitles, type KindName } from "./kinds";

/** The edits of a plan as pure functions. Parts that don't change keep their identity. */

/** A new node with every setting at its default and a slug that `plan` does not use. */
export function blankNode(plan: Pick<Plan, "nodes">, kind: KindName, position: Position): Node {
  const title = blankTitles[kind];
  return {
    id: crypto.randomUUID(),
    slug: slugFor(plan, title),
    title,
    description: "",
    kind: blankKind(kind),
    instructions: "",
    acceptanceCriteria: [],
    toolsRequired: [],
    suggestedAgent: null,
    triggerRule: null,
    maxRetries: 0,
    retryExitCodes: [],
    afterCrash: "ask",
    isolation: null,
    timeoutMs: null,
    silentAfterMs: null,
    budget: { tokens: null, costUsd: null },
    onSuccess: null,
    onFailure: "abort",
    priority: 5,
    position,
    metadata: {},
  };
}

function slugFor(plan: Pick<Plan, "nodes">, title: string): string {
  return freeSlug(slugOf(title), new Set(plan.nodes.map((node) => node.slug)));
}

const maxSlugLength = 72;

/**
 * A title as a slug, by the same rule as in Rust: lowercase, with everything else replaced by `-`.
 */
export function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, maxSlugLength)
    .replace(/-+$/, "");
  return slug || "node";
}

/** `slug`, or `slug-2` and so on if it is taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const numbered = `${slug.slice(0, maxSlugLength)}-${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}

export function addNode(plan: Plan, node: Node): Plan {
  return { ...plan, nodes: [...plan.nodes, node] };
}

/** Changes one node. If `change` returns the same node, the same plan is returned. */
export function changeNode(plan: Plan, id: NodeId, change: (node: Node) => Node): Plan {
  return changeNodes(plan, new Set([id]), change);
}

/** Changes several nodes in a single pass over the plan. */
export function changeNodes(
  plan: Plan,
  ids: { has: (id: NodeId) => boolean },
  change: (node: Node) => Node,
): Plan {
  let touched = false;
  const nodes = plan.nodes.map((node) => {
    if (!ids.has(node.id)) return node;
    const changed = change(node);
    touched ||= changed !== node;
    return changed;
  });
  return touched ? { ...plan, nodes } : plan;
}

/** Renames a node. An empty or unchanged title changes nothing. Line breaks become spaces. */
export function renameNode(plan: Plan, id: NodeId, title: string): Plan {
  const line = title.replace(/\s+/g, " ").trim();
  return changeNode(plan, id, (node) => {
    if (line === "" || line === node.title) return node;
    // The first title also becomes the slug, which plan files use.
    return { ...node, title: line, ...(isUnnamed(plan, node) && { slug: slugFor(plan, line) }) };
  });
}

function isUnnamed(plan: Plan, { title, slug, kind }: Node): boolean {
  const blank = blankTitles[kind.kind];
  if (title !== blank || !slug.startsWith(slugOf(blank))) return false;
  return !JSON.stringify(plan.nodes).includes(`nodes.${slug}.`);
}

/**
 * Disables nodes, so that a run skips them, or enables them again. Notes are ignored because they
 * never run.
 */
export function setDisabled(plan: Plan, ids: ReadonlySet<NodeId>, disabled: boolean): Plan {
  return changeNodes(plan, ids, (node) => {
    if (node.kind.kind === "note" || (node.disabled === true) === disabled) return node;
    const { disabled: _, ...enabled } = node;
    return disabled ? { ...enabled, disabled } : enabled;
  });
}

/** Deletes nodes with their edges, and the branches and jumps that lead to them. */
export function removeNodes(plan: Plan, ids: ReadonlySet<NodeId>): Plan {
  if (ids.size === 0) return plan;
  const left = plan.nodes.filter((node) => !ids.has(node.id));
  return {
    ...plan,
    nodes: left.map((node) => clearTargets(node, (id) => ids.has(id))),
    edges: withoutEnds(plan.edges, ids),
    groups: withoutMembers(plan.groups, ids),
  };
}

function withoutEnds(edges: Edge[], ids: ReadonlySet<NodeId>): Edge[] {
  const left = edges.filter((edge) => !ids.has(edge.parent) && !ids.has(edge.child));
  return left.length === edges.length ? edges : left;
}

/**
 * Deletes edges, branches and jumps by their keys. A plain edge that the canvas draws as one line
 * with a deleted branch is deleted with it.
 */
export function removeEdges(plan: Plan, keys: ReadonlySet<string>): Plan {
  const covered = coveredBy(plan, keys);
  const edges = plan.edges.filter(
    (edge) => !keys.has(edgeKey(edge)) && (edge.soft || !covered.has(edgeKey(edge))),
  );
  const left = edges.length === plan.edges.length ? plan : { ...plan, edges };
  const cut = new Map<NodeId, EdgeCondition[]>();
  for (const condition of [...keys].flatMap((key) => parseConditionalEdgeKey(key) ?? []))
    cut.set(condition.parent, [...(cut.get(condition.parent) ?? []), condition.kind]);
  if (cut.size === 0) return left;
  return changeNodes(left, cut, (node) =>
    (cut.get(node.id) ?? []).reduce((rest, kind) => setTarget(rest, kind, null), node),
  );
}

/** The plain edges that only the given branches and jumps cover. */
function coveredBy(plan: Plan, keys: ReadonlySet<string>): Set<string> {
  const covering = conditionalEdgesIn(plan).filter(coversPlainEdge);
  const isGiven = (edge: ConditionalEdge) => keys.has(conditionalEdgeKey(edge));
  const covered = new Set(covering.filter(isGiven).map(edgeKey));
  for (const edge of covering) if (!isGiven(edge)) covered.delete(edgeKey(edge));
  return covered;
}

/**
 * Sets or clears the target of a branch or jump of `parent`. A branch replaces a plain edge between
 * the two.
 */
export function setWay(
  plan: Plan,
  parent: NodeId,
  kind: EdgeCondition,
  target: NodeId | null,
): Plan {
  const changed = changeNode(plan, parent, (node) => setTarget(node, kind, target));
  const isBranch = kind === "true" || kind === "false";
  if (target === null || !isBranch) return changed;
  return removeEdges(changed, new Set([edgeKey({ parent, child: target })]));
}

/** Finds a branch or jump by its key, if it leads anywhere. */
function findWay(plan: Plan, key: string): ConditionalEdge | undefined {
  return conditionalEdgesIn(plan).find((condition) => conditionalEdgeKey(condition) === key);
}

/**
 * Adds the edge "`child` depends on `parent`". The caller must have checked `connectionRefusal`.
 */
export function connect(plan: Plan, parent: NodeId, child: NodeId, soft = false): Plan {
  return { ...plan, edges: [...plan.edges, { parent, child, soft }] };
}

/**
 * Moves an end of an edge. An edge keeps its position in the list; a branch or jump stays in its
 * field.
 */
export function reconnect(plan: Plan, key: string, parent: NodeId, child: NodeId): Plan {
  const condition = parseConditionalEdgeKey(key);
  if (condition) {
    if (findWay(plan, key)?.child === child) return plan;
    return setWay(removeEdges(plan, new Set([key])), condition.parent, condition.kind, child);
  }
  return {
    ...plan,
    edges: plan.edges.map((edge) => (edgeKey(edge) === key ? { ...edge, parent, child } : edge)),
  };
}

/** Confirms inferred edges: those with the given keys, or all of them. */
export function confirmEdges(plan: Plan, keys?: ReadonlySet<string>): Plan {
  const isMeant = (edge: Edge) => edge.inferred && (!keys || keys.has(edgeKey(edge)));
  return {
    ...plan,
    edges: plan.edges.map((edge) => {
      if (!isMeant(edge)) return edge;
      const { inferred: _, ...confirmed } = edge;
      return confirmed;
    }),
  };
}

export function setSoft(plan: Plan, keys: ReadonlySet<string>, soft: boolean): Plan {
  return {
    ...plan,
    edges: plan.edges.map((edge) => (keys.has(edgeKey(edge)) ? { ...edge, soft } : edge)),
  };
}

/**
 * What an edge means: the child waits, only receives the handoff, or follows one outcome of the
 * parent.
 */
export type EdgeKind = "hard" | "soft" | EdgeCondition;

/** The kind of an edge, branch or jump; undefined for an unknown key. */
export function edgeKindOf(plan: Plan, key: string): EdgeKind | undefined {
  const edge = plan.edges.find((candidate) => edgeKey(candidate) === key);
  return findWay(plan, key)?.kind ?? (edge && (edge.soft ? "soft" : "hard"));
}

/** The kinds that an edge can be changed to. Only conditions have branches. */
export function edgeKindsFor(plan: Plan, key: string): readonly EdgeKind[] {
  const parent = endsOf(plan, key)?.parent;
  const isFork = plan.nodes.find((node) => node.id === parent)?.kind.kind === "condition";
  return isFork ? ["hard", "soft", "true", "false", "failure"] : ["hard", "soft", "failure"];
}

/**
 * Changes the kind of an edge, branch or jump. Replaces a branch or jump that the parent already
 * has of that kind.
 */
export function changeEdgeKind(plan: Plan, key: string, kind: EdgeKind): Plan {
  const ends = endsOf(plan, key);
  if (!ends || edgeKindOf(plan, key) === kind) return plan;
  const { parent, child } = ends;
  if (kind === "soft" || kind === "hard") {
    const condition = findWay(plan, key);
    if (!condition) return setSoft(plan, new Set([key]), kind === "soft");
    const rest = removeEdges(plan, new Set([key, edgeKey({ parent, child })]));
    return connect(rest, parent, child, kind === "soft");
  }
  return setWay(removeEdges(plan, new Set([key])), parent, kind, child);
}

/** Inserts a new node into an edge: parent → node → child. */
export function insertInEdge(plan: Plan, key: string, node: Node): Plan {
  return endsOf(plan, key) ? spliceInEdge(addNode(plan, node), key, node.id) : plan;
}

/** The nodes at the ends of an edge, branch or jump; undefined for an unknown key. */
export function endsOf(plan: Plan, key: string): Pick<Edge, "parent" | "child"> | undefined {
  return findWay(plan, key) ?? plan.edges.find((candidate) => edgeKey(candidate) === key);
}

/**
 * Inserts an unconnected node of the plan into an edge, and into the group that both ends share.
 */
export function spliceInEdge(plan: Plan, key: string, id: NodeId): Plan {
  const ends = endsOf(plan, key);
  if (!ends || !isUnconnected(plan, id)) return plan;
  const [group, other] = [groupOf(plan, ends.parent), groupOf(plan, ends.child)];
  const linked = linkedThrough(plan, key, id);
  return group && group === other ? moveToGroup(linked, new Set([id]), group.id) : linked;
}

/** Reports whether a node can be inserted into an edge: it runs, and has no edges. */
export function isUnconnected(plan: Plan, id: NodeId): boolean {
  const node = plan.nodes.find((candidate) => candidate.id === id);
  if (!node || node.kind.kind === "note") return false;
  return !allEdges(plan).some(({ parent, child }) => parent === id || child === id);
}

function linkedThrough(plan: Plan, key: string, id: NodeId): Plan {
  const condition = findWay(plan, key);
  if (condition) {
    const rest = removeEdges(plan, new Set([key]));
    return connect(setWay(rest, condition.parent, condition.kind, id), id, condition.child);
  }
  const edge = plan.edges.find((candidate) => edgeKey(candidate) === key);
  const edges = plan.edges.flatMap((candidate) =>
    candidate === edge
      ? [
          { ...edge, child: id },
          { ...edge, parent: id },
        ]
      : [candidate],
  );
  return { ...plan, edges };
}

/** Moves nodes. Nodes that don't move keep their identity. */
export function place(plan: Plan, places: ReadonlyMap<NodeId, Position>): Plan {
  let touched = false;
  const nodes = plan.nodes.map((node) => {
    const to = places.get(node.id);
    if (!to || (node.position?.x === to.x && node.position.y === to.y)) return node;
    touched = true;
    return { ...node, position: to };
  });
  return touched ? { ...plan, nodes } : plan;
}

/**
 * The part of `places` whose nodes have not moved between `before` and `now`: a manual move wins
 * over a layout that arrives late.
 */
export function placesStillIn(
  before: Plan,
  now: Plan,
  places: ReadonlyMap<NodeId, Position>,
): Map<NodeId, Position> {
  const oldPositions = new Map(before.nodes.map((node) => [node.id, node.position]));
  const unmoved = now.nodes.filter(({ id, position }) => {
    const was = oldPositions.get(id);
    return oldPositions.has(id) && was?.x === position?.x && was?.y === position?.y;
  });
  return new Map(
    unmoved.flatMap(({ id }) => {
      const place = places.get(id);
      return place ? [[id, place]] : [];
    }),
  );
}

/** Sets whether nodes keep their positions when the graph is laid out. */
export function keepPlace(plan: Plan, ids: ReadonlySet<NodeId>, keepsPlace: boolean): Plan {
  return {
    ...plan,
    nodes: plan.nodes.map((node) => {
      if (!ids.has(node.id) || (node.keepsPlace ?? false) === keepsPlace) return node;
      const { keepsPlace: _, ...rest } = node;
      return keepsPlace ? { ...rest, keepsPlace } : rest;
    }),
  };
}

export function placesOf(placements: readonly NodePlacement[]): Map<NodeId, Position> {
  return new Map(placements.map(({ node, position }) => [node, position]));
}

/**
 * Nodes with the edges between them and the groups that consist only of them, to be inserted into a
 * plan.
 */
export interface Fragment {
  nodes: Node[];
  edges: Edge[];
  /** Edges from outside nodes to nodes of the fragment. */
  incoming: Edge[];
  groups: Group[];
}

/** The nodes of `ids` in plan order, with their edges and groups. */
export function fragmentOf(plan: Plan, ids: ReadonlySet<NodeId>): Fragment {
  return {
    nodes: plan.nodes.filter((node) => ids.has(node.id)),
    edges: plan.edges.filter((edge) => ids.has(edge.parent) && ids.has(edge.child)),
    incoming: plan.edges.filter((edge) => !ids.has(edge.parent) && ids.has(edge.child)),
    groups: plan.groups.filter((group) => group.nodes.every((node) => ids.has(node))),
  };
}

/**
 * Inserts a fragment into `plan` with new ids and slugs, moved by `offset`. With `keeping`,
 * incoming edges from nodes of this plan are copied too. Returns the plan and the new ids.
 */
export function insertFragment(
  plan: Plan,
  { nodes, edges, incoming, groups }: Fragment,
  offset: Position,
  keeping = false,
): { plan: Plan; ids: NodeId[] } {
  const taken = new Set(plan.nodes.map((node) => node.slug));
  const newIds = new Map<NodeId, NodeId>();
  const copies = nodes.map((node) => {
    const id = crypto.randomUUID();
    const slug = freeSlug(node.slug, taken);
    newIds.set(node.id, id);
    taken.add(slug);
    const position = node.position && {
      x: node.position.x + offset.x,
      y: node.position.y + offset.y,
    };
    return { ...structuredClone(node), id, slug, position };
  });
  // Branches and jumps of a copy keep only targets inside the fragment.
  const led = copies.map((node) => mapTargets(node, (to) => newIds.get(to) ?? null));
  const links = edges.flatMap((edge) => {
    const [parent, child] = [newIds.get(edge.parent), newIds.get(edge.child)];
    return parent && child ? [{ ...edge, parent, child }] : [];
  });
  const parents = new Set(plan.nodes.flatMap(({ id, kind }) => (kind.kind === "note" ? [] : id)));
  const kept = (keeping ? incoming : []).flatMap((edge) => {
    const child = newIds.get(edge.child);
    return child && parents.has(edge.parent) ? [{ ...edge, child }] : [];
  });
  const copiedGroups = groups.map((group) => ({
    ...group,
    id: crypto.randomUUID(),
    nodes: group.nodes.flatMap((node) => newIds.get(node) ?? []),
  }));
  return {
    plan: {
      ...plan,
      nodes: [...plan.nodes, ...led],
      edges: [...plan.edges, ...links, ...kept],
      groups: copiedGroups.length === 0 ? plan.groups : [...plan.groups, ...copiedGroups],
    },
    ids: led.map((node) => node.id),
  };
}

/** Moves the nodes of `ids`, in plan order, as one block before the node now at `at`. */
export function reorder(plan: Plan, ids: ReadonlySet<NodeId>, at: number): Plan {
  const moved = plan.nodes.filter((node) => ids.has(node.id));
  const before = plan.nodes.slice(0, at).filter((node) => !ids.has(node.id));
  const after = plan.nodes.slice(at).filter((node) => !ids.has(node.id));
  const nodes = [...before, ...moved, ...after];
  return nodes.every((node, index) => node === plan.nodes[index]) ? plan : { ...plan, nodes };
}
