import { numberWords } from "@/components/countWords";
import { type NodeStateName, nodeStates } from "./nodeState";

/** A stretch of the progress bar: one node, or all nodes of one state. */
export interface Segment {
  state: NodeStateName;
  /** How many nodes it stands for. */
  nodes: number;
}

const mostSingles = 120;
const order: NodeStateName[] = [
  "done",
  "skipped",
  "failed",
  "interrupted",
  "running",
  "waiting",
  "pending",
  "blocked",
];

/** One segment a node, in plan order; above 120 nodes one stretch a state, what is finished first. */
export function segmentsOf(states: readonly NodeStateName[]): Segment[] {
  if (states.length <= mostSingles) return states.map((state) => ({ state, nodes: 1 }));
  const counts = countStates(states);
  return order
    .map((state) => ({ state, nodes: counts[state] }))
    .filter((segment) => segment.nodes > 0);
}

/** How many nodes are in each state. */
export function countStates(states: readonly NodeStateName[]): Record<NodeStateName, number> {
  const counts = Object.fromEntries(nodeStates.map((state) => [state, 0])) as Record<
    NodeStateName,
    number
  >;
  for (const state of states) counts[state] += 1;
  return counts;
}

/** The bar in words: "12 of 18 finished, 2 running, 1 failed". Skipped nodes count as finished. */
export function progressWords(states: readonly NodeStateName[]): string {
  if (states.length === 0) return "No nodes";
  const counts = countStates(states);
  const told = (["running", "waiting", "failed", "interrupted"] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${state}`);
  return [
    `${numberWords(counts.done + counts.skipped)} of ${numberWords(states.length)} finished`,
    ...told,
  ].join(", ");
}
