import type { Edge, Group, GroupId, Node, NodeId, Plan } from "@/api/bindings";
import { isDeepEqual } from "@/api/isDeepEqual";
import { allEdges, conditionalEdgesOf } from "./conditionalEdges";
import { edgeKey } from "./edgeKey";
import { freeSlug } from "./edits";
import { mergeKeyOrder } from "./mergeKeyOrder";
import { type ConflictRule, type ListItemMerge, ThreeWayMerge } from "./threeWayMerge";

/** The plan with the change applied, or the names of what collides. */
export type RebaseResult = { plan: Plan } | { collides: readonly string[] };

/**
 * Applies the change from `from` to `to` to `onto`, which was changed elsewhere in the meantime.
 * Merges each node, edge, group, membership and setting separately. What both sides changed
 * differently collides, and so does a change that would leave a dangling edge or create a cycle.
 * Slugs never collide: a new node gets a free one. Pure.
 */
export function rebasePlan(
  from: Plan,
  to: Plan,
  onto: Plan,
  rule: ConflictRule = "collide",
): RebaseResult {
  if (from === onto) return { plan: to };
  if (from === to) return { plan: onto };
  const merge = new ThreeWayMerge(rule);
  const titles = new Map(
    [...from.nodes, ...to.nodes, ...onto.nodes].map((node) => [node.id, node.title]),
  );
  const titleOf = (id: NodeId) => titles.get(id) ?? "a node";
  const nodes = withFreeSlugs(
    merge.list(from.nodes, to.nodes, onto.nodes, nodeMerge(merge)),
    onto,
    merge,
  );
  const edges = merge.list(from.edges, to.edges, onto.edges, edgeMerge(merge, titleOf));
  const plan = {
    ...merge.fields(from, to, onto, planSettingsName, [
      "nodes",
      "edges",
      "groups",
      "settings",
      "metadata",
    ]),
    settings: merge.fields(from.settings, to.settings, onto.settings, planSettingsName),
    metadata: merge.fields(from.metadata, to.metadata, onto.metadata, planSettingsName),
    nodes,
    edges,
    groups: mergeGroups(merge, [from, to, onto], nodes, titleOf),
  };
  for (const id of nodesWithDanglingEdges(plan)) merge.collisions.add(titleOf(id));
  if (createsCycle(plan, onto)) merge.collisions.add("edges that would form a cycle");
  return merge.collisions.size > 0 ? { collides: [...merge.collisions] } : { plan };
}

/** Names the fields of the plan itself when they collide. */
const planSettingsName = "the blueprint settings";

function nodeMerge(merge: ThreeWayMerge): ListItemMerge<Node> {
  return {
    keyOf: ({ id }) => id,
    nameOf: ({ title }) => title,
    unchanged: ({ slug: _, ...was }, { slug: __, ...now }) => isDeepEqual(was, now),
    merged: (from, to, onto) => {
      const { kind } = onto;
      const isSameKind = from.kind.kind === to.kind.kind && to.kind.kind === kind.kind;
      const name = onto.title;
      const fields = merge.fields(from, to, onto, name, ["kind", "slug", "metadata"]);
      const merged = {
        ...fields,
        kind: isSameKind
          ? merge.fields(from.kind, to.kind, kind, name)
          : merge.value(from.kind, to.kind, kind, name),
        metadata: merge.fields(from.metadata, to.metadata, onto.metadata, name),
        slug: from.slug === to.slug ? onto.slug : to.slug,
      };
      return isDeepEqual(merged, onto) ? onto : merged;
    },
  };
}

function edgeMerge(merge: ThreeWayMerge, titleOf: (id: NodeId) => string): ListItemMerge<Edge> {
  const nameOf = ({ parent, child }: Edge) =>
    `the edge from ${titleOf(parent)} to ${titleOf(child)}`;
  return {
    keyOf: edgeKey,
    nameOf,
    unchanged: isDeepEqual,
    merged: (from, to, onto) => merge.fields(from, to, onto, nameOf(onto)),
  };
}

/** Gives nodes that are new in `onto`, or got another slug, a free slug. */
function withFreeSlugs(nodes: Node[], onto: Plan, merge: ThreeWayMerge): Node[] {
  if (nodes === onto.nodes) return nodes;
  const known = new Map(onto.nodes.map((node) => [node.id, node.slug]));
  const keeps = ({ id, slug }: Node) => known.get(id) === slug;
  const taken = new Set(nodes.filter(keeps).map(({ slug }) => slug));
  return nodes.map((node) => {
    if (keeps(node)) return node;
    const slug = freeSlug(node.slug, taken);
    taken.add(slug);
    if (slug === node.slug) return node;
    // A text that refers to the slug would now refer to the other node.
    if (JSON.stringify(nodes).includes(`nodes.${node.slug}.`)) merge.collisions.add(node.title);
    return { ...node, slug };
  });
}

type PlanVersions<Of> = readonly [from: Of, to: Of, onto: Of];

/** Merges groups and their members. A group without members is removed. */
function mergeGroups(
  merge: ThreeWayMerge,
  [from, to, onto]: PlanVersions<Plan>,
  nodes: readonly Node[],
  titleOf: (id: NodeId) => string,
): Group[] {
  if (from.groups === to.groups && nodes === onto.nodes) return onto.groups;
  const heads = merge.list(from.groups, to.groups, onto.groups, {
    keyOf: ({ id }) => id,
    nameOf: ({ title }) => `the group ${title}`,
    unchanged: (was, now) => was.title === now.title && was.color === now.color,
    merged: (was, is, now) => merge.fields(was, is, now, `the group ${now.title}`, ["nodes"]),
  });
  const [was, is, now] = [from, to, onto].map(({ groups }) => membersOf(groups));
  const there = new Set(heads.map(({ id }) => id));
  const groupOf = new Map<NodeId, GroupId>();
  for (const { id } of nodes) {
    const group = merge.value(was?.get(id), is?.get(id), now?.get(id), titleOf(id));
    if (group !== undefined && !there.has(group)) merge.collisions.add(titleOf(id));
    if (group !== undefined) groupOf.set(id, group);
  }
  const members = heads.flatMap((group) => {
    const [before, after, present] = [from, to, onto].map(
      ({ groups }) => groups.find(({ id }) => id === group.id)?.nodes ?? [],
    );
    const order = mergeKeyOrder(before ?? [], after ?? [], present ?? []);
    const known = new Set(order);
    const others = [...groupOf.keys()].filter((id) => !known.has(id));
    const inside = [...order, ...others].filter((id) => groupOf.get(id) === group.id);
    if (inside.length === 0) return [];
    return [isDeepEqual(inside, group.nodes) ? group : { ...group, nodes: inside }];
  });
  return isDeepEqual(members, onto.groups) ? onto.groups : members;
}

function membersOf(groups: readonly Group[]): Map<NodeId, GroupId> {
  return new Map(groups.flatMap(({ id, nodes }) => nodes.map((node) => [node, id] as const)));
}

/** The nodes with an edge whose other end is missing. */
function nodesWithDanglingEdges({ nodes, edges }: Plan): NodeId[] {
  const there = new Set(nodes.map(({ id }) => id));
  const ends = edges.flatMap(({ parent, child }) =>
    there.has(parent) && there.has(child) ? [] : [there.has(parent) ? parent : child],
  );
  const conditionalEdges = nodes.flatMap((node) =>
    conditionalEdgesOf(node).some(({ child }) => !there.has(child)) ? [node.id] : [],
  );
  return [...ends, ...conditionalEdges];
}

function createsCycle(plan: Plan, onto: Plan): boolean {
  if (plan.nodes === onto.nodes && plan.edges === onto.edges) return false;
  return isCyclic(plan) && !isCyclic(onto);
}

function isCyclic(plan: Plan): boolean {
  const links = allEdges(plan);
  const next = new Map<NodeId, NodeId[]>();
  const waits = new Map<NodeId, number>(plan.nodes.map(({ id }) => [id, 0]));
  for (const { parent, child } of links) {
    const others = next.get(parent);
    if (others) others.push(child);
    else next.set(parent, [child]);
    waits.set(child, (waits.get(child) ?? 0) + 1);
  }
  const open = [...waits].flatMap(([id, count]) => (count === 0 ? [id] : []));
  let reached = 0;
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    reached += 1;
    for (const child of next.get(id) ?? []) {
      const left = (waits.get(child) ?? 0) - 1;
      waits.set(child, left);
      if (left === 0) open.push(child);
    }
  }
  return reached < waits.size;
}
