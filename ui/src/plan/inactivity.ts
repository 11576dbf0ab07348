import type { Node, NodeRunView } from "@/api/bindings";
import { formatApproximateDuration } from "@/components/time";

/** A running node that names no span of its own is worth a look when it printed nothing for so long. */
const defaultInactivityMs = 10 * 60_000;

/**
 * After how many milliseconds of silence a running node is worth a look; nothing is stopped for it. Where the run
 * itself has marked it, at once.
 */
export function inactivityThreshold(node: Node, run: NodeRunView | undefined): number {
  return run?.marks.silent ? 0 : (node.silentAfterMs ?? defaultInactivityMs);
}

/** "quiet for 12 min" once a session that lives has printed nothing for `after`; nothing before. */
export function inactivityText(
  since: number | undefined,
  now: number,
  after: number,
): string | undefined {
  if (since === undefined) return undefined;
  const span = now - since;
  return span >= after ? `quiet for ${formatApproximateDuration(span)}` : undefined;
}

/** Since when a node that runs has printed nothing. A node that waits for a person is quiet for a reason. */
export function inactiveSince(run: NodeRunView | undefined): number | undefined {
  return run?.state.state === "running" ? (run.quietSince ?? undefined) : undefined;
}
