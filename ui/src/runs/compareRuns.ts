import type { Node, NodeRunView, Plan, RunView } from "@/api/bindings";
import { isDeepEqual } from "@/api/isDeepEqual";

/** A node in both runs, or in one of them. */
export interface NodeComparison {
  id: string;
  title: string;
  /** What it did in each run; `undefined` if the run doesn't have it. */
  a: NodeRunView | undefined;
  b: NodeRunView | undefined;
  /** The two versions of the plan define it differently. */
  edited: boolean;
  /** The state, the attempts or the definition differ. Time and cost always differ a little. */
  different: boolean;
}

type Run = Pick<RunView, "nodes" | "plan">;

/**
 * Compares two runs node by node, in the order of the second run. Nodes that only the first run has
 * come last.
 */
export function compareRuns(a: Run, b: Run): NodeComparison[] {
  const sidesOfA = sidesOf(a);
  const sidesOfB = sidesOf(b);
  const ids = new Set([...sidesOfB.keys(), ...sidesOfA.keys()]);
  const nodesOfA = nodesById(a.plan);
  const nodesOfB = nodesById(b.plan);
  return [...ids].map((id) => {
    const sides = { a: sidesOfA.get(id), b: sidesOfB.get(id) };
    const [before, after] = [nodesOfA.get(id), nodesOfB.get(id)];
    const edited = before !== undefined && after !== undefined && !isSameWork(before, after);
    const title = (after ?? before)?.title ?? "";
    return { id, title, ...sides, edited, different: edited || differ(sides.a, sides.b) };
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

function differ(a: NodeRunView | undefined, b: NodeRunView | undefined): boolean {
  if (!a || !b) return true;
  return (
    a.state.state !== b.state.state ||
    a.attempt !== b.attempt ||
    a.unverified !== b.unverified ||
    (a.artifact === null) !== (b.artifact === null)
  );
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
