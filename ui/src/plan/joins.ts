import type { Edge, Node, NodeId, Plan } from "@/api/bindings";
import { conditionalEdgesIn, type EdgeCondition } from "./conditionalEdges";

/**
 * Finds joins: nodes where paths meet that a fork may have closed. A path is open under a set of
 * choices, such as "this fork took its true branch" or "that node failed". Mirrors `graph/joins.rs`
 * in the model; `tests/fixtures/joins.json` tests both. Pure.
 */

/** How a fork can end. */
type End = "true" | "false" | "failure";
type Ends = ReadonlySet<End>;

/** The ends of each fork with which a path is open, by the fork's id. */
type Choices = ReadonlyMap<NodeId, Ends>;

interface IncomingEdge {
  parent: NodeId;
  kinds: Kinds;
  choices: Choices;
}

/** Why a child waits for a parent: an edge, or fields of the parent. */
type Kinds = ReadonlySet<EdgeCondition | "edge">;
type Parents = ReadonlyMap<NodeId, ReadonlyMap<NodeId, Kinds>>;

/** Done, with either branch. */
const done: Ends = new Set(["true", "false"]);
const none: Choices = new Map();

const known = new WeakMap<readonly Node[], { edges: readonly Edge[]; joins: Set<NodeId> }>();

/**
 * Reports whether paths meet at a node, below a condition or a jump on failure. Without a trigger
 * rule, a join starts when no parent failed and at least one is done; any other node starts when
 * all are done.
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
      // If all ends of the parent lead here, the edge depends on no choice.
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
  // The first node of a branch waits for the branch, unless another path is open when the branch
  // isn't.
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
 * Reports whether an edge depends on a choice that the other edges don't share. "The node is done"
 * is such a choice if another path is open when it failed; "the condition was evaluated" is one if
 * another path comes from one of its branches.
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

/**
 * The choices that a node depends on, by its trigger rule: those that all its paths need, those
 * that they share, or none.
 */
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
    // These choices exclude each other, so the node can never start: keep the first.
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

/** The ends of the parent with which the edge is open. */
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

/** The parents that each node waits for, in plan order, with the reasons. */
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

/**
 * Topological order. Nodes on a cycle, which only another program can have written, are left out.
 */
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
