import type { Node, NodeId, NodeRunView, Plan, RunView } from "@/api/bindings";
import { isDeepEqual } from "@/api/isDeepEqual";

/** What can differ of a node. */
type Difference =
  | "presence"
  | "definition"
  | "state"
  | "attempts"
  | "evidence"
  | "handoff"
  | "time"
  | "cost";

/** A node in both runs, or in one of them. */
export interface NodeComparison {
  id: string;
  title: string;
  /** What it did in each run; `undefined` if the run doesn't have it. */
  a: NodeRunView | undefined;
  b: NodeRunView | undefined;
  differences: readonly Difference[];
}

/**
 * The smallest difference of time and cost that counts. They are never quite the same, so both
 * limits must be reached: the difference itself, and its share of the larger value.
 */
export const noticeable = { ms: 5_000, dollars: 0.01, share: 0.25 } as const;

type Run = Pick<RunView, "nodes" | "plan">;

/**
 * Compares two runs node by node, in the order of the second run. Nodes that only the first run has
 * come last. `otherHandoffs` are the nodes whose handoffs differ in content.
 */
export function compareRuns(
  a: Run,
  b: Run,
  otherHandoffs: readonly NodeId[] = [],
): NodeComparison[] {
  const sidesOfA = sidesOf(a);
  const sidesOfB = sidesOf(b);
  const ids = new Set([...sidesOfB.keys(), ...sidesOfA.keys()]);
  const nodesOfA = nodesById(a.plan);
  const nodesOfB = nodesById(b.plan);
  const differing = new Set(otherHandoffs);
  return [...ids].map((id) => {
    const sides = { a: sidesOfA.get(id), b: sidesOfB.get(id) };
    const [before, after] = [nodesOfA.get(id), nodesOfB.get(id)];
    const edited = before !== undefined && after !== undefined && !isSameWork(before, after);
    const title = (after ?? before)?.title ?? "";
    const differences: Difference[] = [
      ...(edited ? (["definition"] as const) : []),
      ...differencesOf(sides.a, sides.b, differing.has(id)),
    ];
    return { id, title, ...sides, differences };
  });
}

/** Whether two definitions mean the same in a run: their place on the canvas doesn't matter. */
function isSameWork(before: Node, after: Node): boolean {
  const placed = { position: null, keepsPlace: false };
  return isDeepEqual({ ...before, ...placed }, { ...after, ...placed });
}

function nodesById(plan: Plan) {
  return new Map(plan.nodes.map((node) => [node.id, node]));
}

function sidesOf({ nodes }: Run): Map<string, NodeRunView> {
  return new Map(nodes.map((node) => [node.node, node]));
}

function differencesOf(
  a: NodeRunView | undefined,
  b: NodeRunView | undefined,
  hasOtherHandoff: boolean,
): Difference[] {
  if (!a || !b) return ["presence"];
  const found: Record<Exclude<Difference, "presence" | "definition">, boolean> = {
    state: isMarkedDone(a) !== isMarkedDone(b) || a.state.state !== b.state.state,
    attempts: a.attempt !== b.attempt,
    evidence: a.unverified !== b.unverified,
    handoff: hasOtherHandoff || (a.artifact === null) !== (b.artifact === null),
    time: isNoticeable(workedMs(a), workedMs(b), noticeable.ms),
    cost: isNoticeable(costOf(a), costOf(b), noticeable.dollars),
  };
  return (Object.keys(found) as (keyof typeof found)[]).filter((name) => found[name]);
}

function isMarkedDone({ state }: NodeRunView): boolean {
  return state.state === "done" && state.byHand;
}

/**
 * Whether two values differ by at least `least`, and by `noticeable.share` of the larger one. With an
 * unknown value, they have no difference that could count.
 */
function isNoticeable(a: number | null, b: number | null, least: number): boolean {
  if (a === null || b === null) return false;
  const gap = Math.abs(b - a);
  return gap >= least && gap >= noticeable.share * Math.max(a, b);
}

/** Milliseconds that a node worked; `null` while it works, if unknown, and if it never started. */
export function workedMs(node: NodeRunView | undefined): number | null {
  if (!node || node.times.workingSince !== null || node.times.elapsedMs === null) return null;
  return node.times.workedMs;
}

/** US dollars that a node's attempts cost; `null` if unknown. */
export function costOf(node: NodeRunView | undefined): number | null {
  return node?.used?.usd ?? null;
}

/** The cost of a run: the sum of its nodes. `null` if no node reported any. */
export function totalCost(nodes: readonly NodeRunView[]): number | null {
  const known = nodes.map(costOf).filter((cost) => cost !== null);
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}

/** `b - a`; `null` unless both are known. */
export function difference(a: number | null | undefined, b: number | null | undefined) {
  return a === null || a === undefined || b === null || b === undefined ? null : b - a;
}
