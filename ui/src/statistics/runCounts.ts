import type { RunCounts } from "@/api/bindings";
import { formatCount, formatNumber } from "@/components/formatCount";
import type { NodeStateName } from "@/components/nodeState";

/** The states of runs in the order of the chart, with the color of a node state. */
export const runStates: { state: CountedState; word: string; hue: NodeStateName }[] = [
  { state: "completed", word: "completed", hue: "done" },
  { state: "failed", word: "failed", hue: "failed" },
  { state: "cancelled", word: "canceled", hue: "interrupted" },
  { state: "stalled", word: "stalled", hue: "waiting" },
  { state: "paused", word: "paused", hue: "pending" },
  { state: "running", word: "running", hue: "running" },
  { state: "replanning", word: "replanning", hue: "waiting" },
];

type CountedState = Exclude<keyof RunCounts, "skippedFailures">;

export function totalRuns(runs: RunCounts): number {
  return runStates.reduce((sum, { state }) => sum + runs[state], 0);
}

/** Counts the runs that have not ended. */
export function openRuns(runs: RunCounts): number {
  return totalRuns(runs) - endedRuns(runs);
}

/** Counts the runs that completed, failed or were canceled. */
export function endedRuns({ completed, failed, cancelled }: RunCounts): number {
  return completed + failed + cancelled;
}

/** Describes runs: "12 runs: 10 completed, 2 failed". */
export function describeRuns(runs: RunCounts): string {
  const parts = runStates
    .filter(({ state }) => runs[state] > 0)
    .map(({ state, word }) => `${formatNumber(runs[state])} ${word}`);
  if (runs.skippedFailures > 0)
    parts.push(`${formatNumber(runs.skippedFailures)} with skipped failures`);
  const whole = formatCount(totalRuns(runs), "run");
  return parts.length === 0 ? whole : `${whole}: ${parts.join(", ")}`;
}

/** Formats a fraction as "83%". Returns "100%" or "0%" only if it is exact. */
export function formatPercent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return "99%";
  if (rounded === 0 && share > 0) return "1%";
  return `${rounded}%`;
}
