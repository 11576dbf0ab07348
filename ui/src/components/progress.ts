import type { NodeState, NodeStatus } from "@/api/bindings";
import { formatCount, formatNumber } from "./formatCount";
import { nodeStates } from "./nodeState";

/** A segment of the progress bar: one node, or all nodes in one state. */
export interface Segment {
  state: NodeStatus;
  /** How many nodes it represents. */
  nodes: number;
}

const maxSingleSegments = 120;
const order: NodeStatus[] = [
  "done",
  "skipped",
  "failed_skipped",
  "failed",
  "interrupted",
  "running",
  "waiting",
  "pending",
  "blocked",
];

/**
 * Returns one segment per node, in plan order. For more than 120 nodes, one segment per state,
 * finished nodes first.
 */
export function progressSegments(states: readonly NodeStatus[]): Segment[] {
  if (states.length <= maxSingleSegments) return states.map((state) => ({ state, nodes: 1 }));
  const counts = countStates(states);
  return order
    .map((state) => ({ state, nodes: counts[state] }))
    .filter((segment) => segment.nodes > 0);
}

/** Returns the key of a state. A failure that the run continued past has its own key. */
export function nodeStateKey(state: NodeState): NodeStatus {
  return state.state === "skipped" && state.reason.kind === "after_failure"
    ? "failed_skipped"
    : state.state;
}

/** Counts the nodes in each state. */
export function countStates(states: readonly NodeStatus[]): Record<NodeStatus, number> {
  const words: readonly NodeStatus[] = [...nodeStates, "failed_skipped"];
  const counts = Object.fromEntries(words.map((word) => [word, 0])) as Record<NodeStatus, number>;
  for (const state of states) counts[state] += 1;
  return counts;
}

/** Counts the nodes that are done or skipped, including skipped failures. */
export function settledCount(states: readonly NodeStatus[]): number {
  const { done, skipped, failed_skipped } = countStates(states);
  return done + skipped + failed_skipped;
}

/** Formats a count: "1 failure skipped", as in the label of the run. */
export function formatSkippedFailures(count: number): string {
  return `${formatCount(count, "failure")} skipped`;
}

/**
 * Describes the bar: "12 of 18 finished, 2 running, 1 failed, 1 failure skipped". Skipped nodes
 * count as finished.
 */
export function describeProgress(states: readonly NodeStatus[]): string {
  if (states.length === 0) return "No nodes";
  const counts = countStates(states);
  const parts = (["running", "waiting", "failed", "interrupted"] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${state}`);
  return [
    `${formatNumber(settledCount(states))} of ${formatNumber(states.length)} finished`,
    ...parts,
    ...(counts.failed_skipped > 0 ? [formatSkippedFailures(counts.failed_skipped)] : []),
  ].join(", ");
}

/** The label of what leads to the nodes in a state: "Show 2 failed nodes". */
export function showStateLabel(state: NodeStatus, count: number): string {
  if (state === "failed_skipped") return `Show ${formatCount(count, "skipped failure")}`;
  return `Show ${formatCount(count, `${state} node`)}`;
}
