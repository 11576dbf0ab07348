import type { Node, NodeId, Plan, TriggerRule } from "@/api/bindings";
import { type Way, type WayKind, waysOf } from "./ways";

/** When a node's parents let it start, for people; and which rule a node without one of its own takes. Pure. */

export const ruleLabels: Record<TriggerRule, string> = {
  all_success: "All are done",
  all_done: "All have ended, however",
  one_success: "One is done",
  one_failed: "One has failed",
  none_failed: "All have ended, none failed",
  none_failed_min_one_success: "None failed, one is done",
};

/** The rule of a join that names none. */
export const joinLabel = "None failed, one is done or skipped over";

/** A rule on a card, where room is short. */
export const ruleBadges: Record<TriggerRule, string> = {
  all_success: "all",
  all_done: "all ended",
  one_success: "any",
  one_failed: "on failure",
  none_failed: "none failed",
  none_failed_min_one_success: "none failed, one done",
};

/**
 * Whether branches come together at a node, below a condition or a failure's jump. Without a rule of its own it starts
 * when no parent failed and one is done, every other node when all are done. The head of a branch is no join, whatever
 * else it waits for. As `Graph::start_rule` in the model.
 */
export function isJoin(plan: Pick<Plan, "nodes" | "edges">, node: NodeId): boolean {
  const parentsOf = hardParents(plan);
  const parents = parentsOf.get(node) ?? [];
  if (parents.filter(({ branches }) => branches).length === 1) return false;
  const ways = [...parentsOf.values()].flat();
  const forking = new Set(ways.flatMap(({ id, forks }) => (forks ? [id] : [])));
  const mayClose = ({ id, forks }: HardParent) =>
    forks || forking.has(id) || isBelowFork(parentsOf, id);
  return parents.filter(mayClose).length > 1;
}

interface HardParent {
  id: NodeId;
  /** The parent's end decides whether this way is open, and not only that it came. */
  forks: boolean;
  /** It is one branch of a condition. */
  branches: boolean;
}

const known = new WeakMap<
  readonly Node[],
  { edges: Plan["edges"]; parents: Map<NodeId, HardParent[]> }
>();

function hardParents(plan: Pick<Plan, "nodes" | "edges">): ReadonlyMap<NodeId, HardParent[]> {
  const before = known.get(plan.nodes);
  if (before?.edges === plan.edges) return before.parents;
  const parents = new Map<NodeId, HardParent[]>();
  const add = (child: NodeId, parent: HardParent) => {
    const before = parents.get(child);
    if (before) before.push(parent);
    else parents.set(child, [parent]);
  };
  const links = new Map<string, Way[]>();
  for (const way of waysOf(plan)) {
    const key = `${way.parent}>${way.child}`;
    links.set(key, [...(links.get(key) ?? []), way]);
  }
  for (const ways of links.values()) {
    const [{ parent, child } = {}] = ways;
    if (parent === undefined || child === undefined) continue;
    const leads = (wanted: WayKind) => ways.some(({ kind }) => kind === wanted);
    const bothBranches = leads("true") && leads("false");
    const forks = !bothBranches && ways.some(({ kind }) => kind !== "success");
    add(child, { id: parent, forks, branches: forks && !leads("failure") });
  }
  for (const { parent, child, soft } of plan.edges) {
    if (!soft && !links.has(`${parent}>${child}`))
      add(child, { id: parent, forks: false, branches: false });
  }
  known.set(plan.nodes, { edges: plan.edges, parents });
  return parents;
}

function isBelowFork(parentsOf: ReadonlyMap<NodeId, HardParent[]>, node: NodeId): boolean {
  const seen = new Set<NodeId>();
  const open = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { id, forks } of parentsOf.get(at) ?? []) {
      if (forks) return true;
      if (seen.has(id)) continue;
      seen.add(id);
      open.push(id);
    }
  }
  return false;
}
