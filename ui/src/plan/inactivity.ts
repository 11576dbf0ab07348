import type { Node, NodeRunView } from "@/api/bindings";
import { formatApproximateDuration } from "@/components/time";

/** The time without output after which a running node is flagged, unless the node sets its own. */
const defaultInactivityMs = 10 * 60_000;

/**
 * The time without output after which a running node is flagged. It is not stopped. 0 if the run
 * has already flagged it.
 */
export function inactivityThreshold(node: Node, run: NodeRunView | undefined): number {
  return run?.marks.silent ? 0 : (node.silentAfterMs ?? defaultInactivityMs);
}

/**
 * "quiet for 12 min" once a live session has printed nothing for `after` milliseconds; undefined
 * before.
 */
export function inactivityText(
  since: number | undefined,
  now: number,
  after: number,
): string | undefined {
  if (since === undefined) return undefined;
  const span = now - since;
  return span >= after ? `quiet for ${formatApproximateDuration(span)}` : undefined;
}

/**
 * Since when a running node has printed nothing. Undefined for a node that waits for a person: its
 * silence is expected.
 */
export function inactiveSince(run: NodeRunView | undefined): number | undefined {
  return run?.state.state === "running" ? (run.quietSince ?? undefined) : undefined;
}
