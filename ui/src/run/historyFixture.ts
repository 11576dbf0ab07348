import type { Event, HistoryRow } from "@/api/bindings";

/**
 * A history for tests: `count` events about the node `a`, a second apart; `given` overrides parts
 * of them.
 */
export function historyRowsOf(
  count: number,
  given: Partial<Record<number, Partial<HistoryRow>>> = {},
): HistoryRow[] {
  const event: Event = { event: "node_started", node: "a", attempt: 1 };
  return Array.from({ length: count }, (_, at) => ({
    seq: at + 1,
    at: at * 1_000,
    actor: "baton",
    event,
    sentence: `event ${at + 1}`,
    ...given[at + 1],
  }));
}
