import type { NodeSnapshot, NodeState, RunStateChange, StateHistoryView } from "@/api/bindings";
import { appendMoments, emptyStateHistory, type StateHistory } from "./stateHistory";

/**
 * A state history for tests, from the changes of each event as `[at, { node: state }]`. Attempts
 * are counted by their starts.
 */
export function stateHistoryOf(
  nodes: readonly string[],
  events: readonly (readonly [number, Readonly<Record<string, NodeState>>])[],
): StateHistory {
  return appendMoments(emptyStateHistory("run"), courseViewOf(nodes, events));
}

export function courseViewOf(
  nodes: readonly string[],
  events: readonly (readonly [number, Readonly<Record<string, NodeState>>])[],
): StateHistoryView {
  const attempts = new Map<string, number>();
  const starts = new Map<string, number>();
  const moments = events.map(([at, states], index): RunStateChange => {
    const changed = Object.entries(states).map(([node, state]): NodeSnapshot => {
      if (state.state === "running" && !starts.has(node)) {
        attempts.set(node, (attempts.get(node) ?? 0) + 1);
        starts.set(node, at);
      }
      const going = state.state === "running" || state.state === "waiting";
      const startedAt = starts.get(node) ?? null;
      if (!going || (state.state === "waiting" && state.for.kind === "retry_at"))
        starts.delete(node);
      return {
        place: nodes.indexOf(node),
        state,
        attempt: attempts.get(node) ?? 0,
        session: null,
        startedAt,
        endedAt: going ? null : at,
        stale: false,
        unverified: false,
        taken: null,
      };
    });
    return { seq: index + 1, at, nodes: changed };
  });
  return { seq: events.length, nodes: [...nodes], moments };
}

export const running: NodeState = { state: "running" };
export const done: NodeState = { state: "done", byHand: false };
export const failed: NodeState = { state: "failed", failure: { reason: "exit_code", code: 1 } };
export const retries: NodeState = { state: "waiting", for: { kind: "retry_at", at: 9_000 } };
export const asks: NodeState = {
  state: "waiting",
  for: { kind: "person", question: "May it?", request: "r", call: null },
};
