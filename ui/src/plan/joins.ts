import type { Edge, Node, NodeId, Plan } from "@/api/bindings";
import { conditionalEdgesIn, type EdgeCondition } from "./conditionalEdges";

/**
 * Where ways come together of which forks leave some closed. What has to be true for a node to run is a set of choices:
 * this fork took its true branch, that node failed. As `graph/joins.rs` in the model; `tests/fixtures/joins.json` holds
 * both to it. Pure.
 */

/** How a fork may end. */
type End = "true" | "false" | "failure";
type Ends = ReadonlySet<End>;

/** With which ends of a fork a way is open, by the id of the fork. */
type Choices = ReadonlyMap<NodeId, Ends>;

interface IncomingEdge {
  parent: NodeId;
  kinds: Kinds;
  choices: Choices;
}

/** Why a child waits for a parent: an edge, or a field of the parent. */
type Kinds = ReadonlySet<EdgeCondition | "edge">;
type Parents = ReadonlyMap<NodeId, ReadonlyMap<NodeId, Kinds>>;

/** It was done, whichever branch it took, if it has any. */
const done: Ends = new Set(["true", "false"]);
const none: Choices = new Map();

const known = new WeakMap<readonly Node[], { edges: readonly Edge[]; joins: Set<NodeId> }>();

/**
 * Whether ways come together at a node, below a condition or a failure's jump. Without a rule of its own it starts when
 * no parent failed and one is done, every other node when all are done.
 */
export function isJoin(plan: Pick<Plan, "nodes" | "edges">, node: NodeId): boolean {
  const before = known.get(plan.nodes);
  if (before?.edges === plan.edges) return before.joins.has(node);
  const joins = joinsOf(plan);
  known.set(plan.nodes, { edges: plan.edges, joins });
  return joins.has(node);
}

function joinsOf(plan: Pick<Plan, "nodes" | "edges">): Set<NodeId> {
  const parents = gatedParents(plan);
  const handsOver = new Set(
    [...parents.values()].flatMap((of) =>
      [...of].flatMap(([parent, kinds]) => (isFailure(kinds) ? [parent] : [])),
    ),
  );
  const endCount = (fork: NodeId) => (handsOver.has(fork) ? 3 : 2);
  const choices = new Map<NodeId, Choices>();
  const joins = new Set<NodeId>();
  for (const node of parentsFirst(plan.nodes, parents)) {
    const incoming = [...(parents.get(node.id) ?? [])].map(([parent, kinds]): IncomingEdge => {
      const before = choices.get(parent) ?? none;
      const ends = endsOf(kinds);
      // Nothing is chosen where all ends of the parent lead on.
      const chooses = ends.size < endCount(parent);
      return { parent, kinds, choices: chooses ? new Map([...before, [parent, ends]]) : before };
    });
    if (isJoinOfBranches(incoming)) joins.add(node.id);
    choices.set(node.id, choicesOf(node, incoming, joins.has(node.id), endCount));
  }
  return joins;
}

function isJoinOfBranches(incoming: readonly IncomingEdge[]): boolean {
  if (incoming.length < 2) return false;
  const heads = incoming.filter(({ kinds }) => kinds.has("true") !== kinds.has("false"));
  const [head] = heads;
  if (heads.length > 1) return true;
  // The head of a branch waits for its branch, unless another way is open when the branch is not.
  if (head) {
    const branch = endsOf(head.kinds);
    return incoming.some(({ kinds, choices }) => {
      const ends = choices.get(head.parent);
      return !isFailure(kinds) && ends !== undefined && common(ends, branch).size === 0;
    });
  }
  return incoming.filter((edge) => isConditional(edge, incoming)).length > 1;
}

/**
 * Whether a way depends on a choice that not all share. That something was done counts where another way is open because
 * it failed; that a condition was judged, where another way comes from one of its branches.
 */
function isConditional(edge: IncomingEdge, incoming: readonly IncomingEdge[]): boolean {
  const others = incoming.filter((other) => other !== edge);
  const otherwise = (fork: NodeId, is: (ends: Ends) => boolean) =>
    others.some(({ choices }) => {
      const ends = choices.get(fork);
      return ends !== undefined && is(ends);
    });
  const isPlain = [...edge.kinds].every((kind) => kind === "edge" || kind === "success");
  if (isPlain && otherwise(edge.parent, (ends) => ends.has("true") !== ends.has("false")))
    return true;
  return [...edge.choices].some(([fork, ends]) => {
    if (others.every(({ choices }) => areSame(choices.get(fork), ends))) return false;
    return !areSame(ends, done) || otherwise(fork, (other) => other.has("failure"));
  });
}

/** What a node depends on, by its rule: on what all its ways need, on what they share, or on nothing. */
function choicesOf(
  { triggerRule }: Node,
  incoming: readonly IncomingEdge[],
  join: boolean,
  endCount: (fork: NodeId) => number,
): Choices {
  switch (triggerRule) {
    case "all_done":
    case "one_failed":
    case "none_failed":
      return none;
    case "one_success":
    case "none_failed_min_one_success":
      return sharedBy(incoming, endCount);
    case "all_success":
      return requiredChoices(incoming);
    default:
      return join ? sharedBy(incoming, endCount) : requiredChoices(incoming);
  }
}

function requiredChoices(incoming: readonly IncomingEdge[]): Choices {
  if (incoming.length < 2) return incoming[0]?.choices ?? none;
  const all = new Map<NodeId, Ends>();
  for (const [fork, ends] of incoming.flatMap(({ choices }) => [...choices])) {
    const before = all.get(fork) ?? ends;
    const both = common(before, ends);
    // Words that exclude each other never come true together: the first counts.
    all.set(fork, both.size > 0 ? both : before);
  }
  return all;
}

function sharedBy(incoming: readonly IncomingEdge[], endCount: (fork: NodeId) => number): Choices {
  const [first, ...rest] = incoming;
  if (!first || rest.length === 0) return first?.choices ?? none;
  const shared = [...first.choices].flatMap(([fork, ends]): [NodeId, Ends][] => {
    const others = rest.map(({ choices }) => choices.get(fork));
    if (others.includes(undefined)) return [];
    const all = new Set([ends, ...others].flatMap((of) => [...(of ?? [])]));
    return all.size < endCount(fork) ? [[fork, all]] : [];
  });
  return new Map(shared);
}

/** With which ends of the parent the way is open. */
function endsOf(kinds: Kinds): Ends {
  const branches = (["true", "false"] as const).filter((kind) => kinds.has(kind));
  if (branches.length === 1) return new Set(branches);
  if (isFailure(kinds)) return new Set(["failure"]);
  const afterFailure = kinds.has("failure") && branches.length === 0;
  return afterFailure ? new Set([...done, "failure"]) : done;
}

function isFailure(kinds: Kinds): boolean {
  return kinds.size === 1 && kinds.has("failure");
}

function common(one: Ends, other: Ends): Ends {
  return new Set([...one].filter((end) => other.has(end)));
}

function areSame(one: Ends | undefined, other: Ends): boolean {
  return one !== undefined && one.size === other.size && common(one, other).size === one.size;
}

/** The parents that a node waits for, in the order of the plan, each with why. */
function gatedParents(plan: Pick<Plan, "nodes" | "edges">): Parents {
  const parents = new Map<NodeId, Map<NodeId, Kinds>>();
  const add = (parent: NodeId, child: NodeId, kind: EdgeCondition | "edge") => {
    const of = parents.get(child) ?? new Map<NodeId, Kinds>();
    of.set(parent, new Set([...(of.get(parent) ?? []), kind]));
    parents.set(child, of);
  };
  for (const { parent, child, soft } of plan.edges) if (!soft) add(parent, child, "edge");
  for (const { parent, child, kind } of conditionalEdgesIn(plan)) add(parent, child, kind);
  const place = new Map(plan.nodes.map(({ id }, at) => [id, at]));
  const byPlace = ([one]: [NodeId, unknown], [other]: [NodeId, unknown]) =>
    (place.get(one) ?? 0) - (place.get(other) ?? 0);
  return new Map([...parents].map(([child, of]) => [child, new Map([...of].sort(byPlace))]));
}

/** Nodes of a ring, which only another program can have written, are left out. */
function parentsFirst(nodes: readonly Node[], parents: Parents): Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const open = new Map(nodes.map(({ id }) => [id, parents.get(id)?.size ?? 0]));
  const children = new Map<NodeId, NodeId[]>();
  for (const [child, of] of parents) {
    for (const parent of of.keys()) children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const order = nodes.filter(({ id }) => open.get(id) === 0);
  for (const { id } of order) {
    for (const child of children.get(id) ?? []) {
      const left = (open.get(child) ?? 0) - 1;
      open.set(child, left);
      const node = byId.get(child);
      if (left === 0 && node) order.push(node);
    }
  }
  return order;
}
