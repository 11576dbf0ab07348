import type { RunCounts } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import type { NodeStateName } from "@/components/nodeState";

/** The states of runs in the order in which a bar shows them, with the hue that each borrows. */
export const runStates: { state: CountedState; word: string; hue: NodeStateName }[] = [
  { state: "completed", word: "completed", hue: "done" },
  { state: "failed", word: "failed", hue: "failed" },
  { state: "cancelled", word: "cancelled", hue: "interrupted" },
  { state: "stalled", word: "stalled", hue: "waiting" },
  { state: "paused", word: "paused", hue: "pending" },
  { state: "running", word: "running", hue: "running" },
  { state: "replanning", word: "replanning", hue: "waiting" },
];

type CountedState = Exclude<keyof RunCounts, "skippedFailures">;

/** How many runs there are in all. */
export function totalRuns(runs: RunCounts): number {
  return runStates.reduce((sum, { state }) => sum + runs[state], 0);
}

/** How many have not come to their end. */
export function openRuns(runs: RunCounts): number {
  return totalRuns(runs) - endedRuns(runs);
}

/** How many came to their end. */
export function endedRuns({ completed, failed, cancelled }: RunCounts): number {
  return completed + failed + cancelled;
}

/** "12 runs: 10 completed, 2 failed". */
export function describeRuns(runs: RunCounts): string {
  const parts = runStates
    .filter(({ state }) => runs[state] > 0)
    .map(({ state, word }) => `${runs[state]} ${word}`);
  if (runs.skippedFailures > 0) parts.push(`${runs.skippedFailures} with skipped failures`);
  const whole = formatCount(totalRuns(runs), "run");
  return parts.length === 0 ? whole : `${whole}: ${parts.join(", ")}`;
}

/** A share from 0 to 1 as "83%"; never "100%" or "0%" unless it is exactly that. */
export function formatPercent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return "99%";
  if (rounded === 0 && share > 0) return "1%";
  return `${rounded}%`;
}
