import type { Edge, Group, Node, NodeId, NodePlacement, Plan, Position } from "@/api/bindings";
import {
  allEdges,
  type ConditionalEdge,
  clearTargets,
  conditionalEdgeKey,
  conditionalEdgesIn,
  type EdgeCondition,
  mapTargets,
  parseConditionalEdgeKey,
  setTarget,
} from "./conditionalEdges";
import { edgeKey } from "./edgeKey";
import { groupOf, moveToGroup, withoutMembers } from "./groups";
import { blankKind, blankTitles, type KindName } from "./kinds";

/** The edits of a plan as pure functions; what they leave alone keeps its identity. */

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

/** A title as a slug, as Rust makes it: lower case, everything else becomes `-`. */
export function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, maxSlugLength)
    .replace(/-+$/, "");
  return slug || "node";
}

/** `slug`, or `slug-2` and so on when it is taken. */
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

/** Changes one node; a change that answers the same node answers the same plan. */
export function changeNode(plan: Plan, id: NodeId, change: (node: Node) => Node): Plan {
  return changeNodes(plan, new Set([id]), change);
}

/** Changes several nodes, in one walk over the plan however many they are. */
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

/** Renames; an empty or unchanged title changes nothing. Line breaks become spaces. */
export function renameNode(plan: Plan, id: NodeId, title: string): Plan {
  const line = title.replace(/\s+/g, " ").trim();
  return changeNode(plan, id, (node) => {
    if (line === "" || line === node.title) return node;
    // The first name that a node is given is also what files call it.
    return { ...node, title: line, ...(isUnnamed(plan, node) && { slug: slugFor(plan, line) }) };
  });
}

function isUnnamed(plan: Plan, { title, slug, kind }: Node): boolean {
  const blank = blankTitles[kind.kind];
  if (title !== blank || !slug.startsWith(slugOf(blank))) return false;
  return !JSON.stringify(plan.nodes).includes(`nodes.${slug}.`);
}

/** Disables nodes, so that a run skips them and goes on, or enables them again. Notes never run. */
export function setDisabled(plan: Plan, ids: ReadonlySet<NodeId>, disabled: boolean): Plan {
  return changeNodes(plan, ids, (node) => {
    if (node.kind.kind === "note" || (node.disabled === true) === disabled) return node;
    const { disabled: _, ...enabled } = node;
    return disabled ? { ...enabled, disabled } : enabled;
  });
}

/** Takes nodes away with their edges, and the branches and jumps that led to them. */
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

/** Takes edges, branches and jumps away by their keys. */
export function removeEdges(plan: Plan, keys: ReadonlySet<string>): Plan {
  const edges = plan.edges.filter((edge) => !keys.has(edgeKey(edge)));
  const left = edges.length === plan.edges.length ? plan : { ...plan, edges };
  const cut = new Map<NodeId, EdgeCondition[]>();
  for (const condition of [...keys].flatMap((key) => parseConditionalEdgeKey(key) ?? []))
    cut.set(condition.parent, [...(cut.get(condition.parent) ?? []), condition.kind]);
  if (cut.size === 0) return left;
  return changeNodes(left, cut, (node) =>
    (cut.get(node.id) ?? []).reduce((rest, kind) => setTarget(rest, kind, null), node),
  );
}

/** Lets a branch or jump of `parent` lead to `target`, or nowhere. It takes the place of an edge between the two. */
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

/** The branch or jump that a key names, if it leads anywhere. */
function findWay(plan: Plan, key: string): ConditionalEdge | undefined {
  return conditionalEdgesIn(plan).find((condition) => conditionalEdgeKey(condition) === key);
}

/** "`child` depends on `parent`". The caller has asked `connectionRefusal`. */
export function connect(plan: Plan, parent: NodeId, child: NodeId, soft = false): Plan {
  return { ...plan, edges: [...plan.edges, { parent, child, soft }] };
}

/** Puts the end of an edge elsewhere, in its place in the list; that of a branch or jump in its field. */
export function reconnect(plan: Plan, key: string, parent: NodeId, child: NodeId): Plan {
  const condition = parseConditionalEdgeKey(key);
  if (condition) return setWay(plan, condition.parent, condition.kind, child);
  return {
    ...plan,
    edges: plan.edges.map((edge) => (edgeKey(edge) === key ? { ...edge, parent, child } : edge)),
  };
}

export function setSoft(plan: Plan, keys: ReadonlySet<string>, soft: boolean): Plan {
  return {
    ...plan,
    edges: plan.edges.map((edge) => (keys.has(edgeKey(edge)) ? { ...edge, soft } : edge)),
  };
}

/** What an edge means: the child waits, is merely handed on to, or comes after one outcome of the parent. */
export type EdgeKind = "hard" | "soft" | EdgeCondition;

/** The kind of an edge, branch or jump; nothing when the key names none. */
export function edgeKindOf(plan: Plan, key: string): EdgeKind | undefined {
  const edge = plan.edges.find((candidate) => edgeKey(candidate) === key);
  return findWay(plan, key)?.kind ?? (edge && (edge.soft ? "soft" : "hard"));
}

/** The kinds that an edge may have: only conditions have branches. */
export function edgeKindsFor(plan: Plan, key: string): readonly EdgeKind[] {
  const parent = endsOf(plan, key)?.parent;
  const isFork = plan.nodes.find((node) => node.id === parent)?.kind.kind === "condition";
  return isFork ? ["hard", "soft", "true", "false", "failure"] : ["hard", "soft", "failure"];
}

/** Lets an edge, branch or jump mean something else. It takes the place of what meant that before. */
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

/** Puts a new node into an edge: the parent leads to it, and it leads to the child. */
export function insertInEdge(plan: Plan, key: string, node: Node): Plan {
  return endsOf(plan, key) ? spliceInEdge(addNode(plan, node), key, node.id) : plan;
}

/** The nodes at the ends of an edge, branch or jump; nothing when the key names none. */
export function endsOf(plan: Plan, key: string): Pick<Edge, "parent" | "child"> | undefined {
  return findWay(plan, key) ?? plan.edges.find((candidate) => edgeKey(candidate) === key);
}

/** Puts a node of the plan that nothing leads to or from into an edge, and into the group of both ends. */
export function spliceInEdge(plan: Plan, key: string, id: NodeId): Plan {
  const ends = endsOf(plan, key);
  if (!ends || !isUnconnected(plan, id)) return plan;
  const [group, other] = [groupOf(plan, ends.parent), groupOf(plan, ends.child)];
  const linked = linkedThrough(plan, key, id);
  return group && group === other ? moveToGroup(linked, new Set([id]), group.id) : linked;
}

/** Whether a node runs and nothing leads to it or from it, so that it can be put into an edge. */
export function isUnconnected(plan: Plan, id: NodeId): boolean {
  const node = plan.nodes.find((candidate) => candidate.id === id);
  if (!node || node.kind.kind === "note") return false;
  return !allEdges(plan).some(({ parent, child }) => parent === id || child === id);
}

function linkedThrough(plan: Plan, key: string, id: NodeId): Plan {
  const condition = findWay(plan, key);
  if (condition)
    return connect(setWay(plan, condition.parent, condition.kind, id), id, condition.child);
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

/** Moves nodes; who does not move keeps its identity. */
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

/** Those of `places` whose nodes stand in `now` where they stood in `before`: a person's move counts more than an answer that comes late. */
export function placesStillIn(
  before: Plan,
  now: Plan,
  places: ReadonlyMap<NodeId, Position>,
): Map<NodeId, Position> {
  const stood = new Map(before.nodes.map((node) => [node.id, node.position]));
  const stands = now.nodes.filter(({ id, position }) => {
    const was = stood.get(id);
    return stood.has(id) && was?.x === position?.x && was?.y === position?.y;
  });
  return new Map(
    stands.flatMap(({ id }) => {
      const place = places.get(id);
      return place ? [[id, place]] : [];
    }),
  );
}

/** Lets nodes keep their places in a layout, or move with it. */
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

/** Nodes with the edges between them and the groups that are among them whole, to be put into a plan. */
export interface Fragment {
  nodes: Node[];
  edges: Edge[];
  /** Edges from elsewhere that lead to its nodes. */
  incoming: Edge[];
  groups: Group[];
}

/** The nodes of `ids` in plan order, with what belongs to them. */
export function fragmentOf(plan: Plan, ids: ReadonlySet<NodeId>): Fragment {
  return {
    nodes: plan.nodes.filter((node) => ids.has(node.id)),
    edges: plan.edges.filter((edge) => ids.has(edge.parent) && ids.has(edge.child)),
    incoming: plan.edges.filter((edge) => !ids.has(edge.parent) && ids.has(edge.child)),
    groups: plan.groups.filter((group) => group.nodes.every((node) => ids.has(node))),
  };
}

/**
 * Puts a fragment into `plan` under new ids and slugs, moved by `offset`. With `keeping`, what led to its nodes from
 * nodes of this plan leads to the copies too. Answers the plan and the new ids.
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
  // A copy leads to copies alone: what stands outside of the fragment belongs to the original.
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

/** Moves the nodes of `ids`, in plan order, so that they stand together before the node now at `at`. */
export function reorder(plan: Plan, ids: ReadonlySet<NodeId>, at: number): Plan {
  const moved = plan.nodes.filter((node) => ids.has(node.id));
  const before = plan.nodes.slice(0, at).filter((node) => !ids.has(node.id));
  const after = plan.nodes.slice(at).filter((node) => !ids.has(node.id));
  const nodes = [...before, ...moved, ...after];
  return nodes.every((node, index) => node === plan.nodes[index]) ? plan : { ...plan, nodes };
}
