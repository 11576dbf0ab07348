import type { PlanSummary, RunSummary } from "@/api/bindings";
import { isPausedAtGoal } from "@/components/runStatus";
import { formatApproximateDuration } from "@/components/time";

/**
 * Returns whether a run is running, paused or waiting. A run that is paused at its goal counts as
 * ended.
 */
export function isRunOpen({ state }: RunSummary): boolean {
  return !["completed", "failed", "cancelled"].includes(state.state) && !isPausedAtGoal(state);
}

/**
 * Returns whether only the title could be read. The other fields of the summary are placeholders
 * then.
 */
export function isUnreadable({ damage, version }: PlanSummary): boolean {
  return damage !== undefined && version === 0;
}

/**
 * Returns whether the run is marked as running but its executor is gone. A person has to resume it.
 */
export function isAbandoned(run: RunSummary): boolean {
  return run.state.state === "running" && run.attendance.where === "none";
}

/**
 * Describes how long the executor of a run in another process has been silent, if it is unhealthy.
 */
export function describeExecutorSilence({ state, attendance }: RunSummary): string | undefined {
  if (state.state !== "running" || attendance.where !== "elsewhere") return undefined;
  const { health, silenceMs } = attendance;
  if (health === "healthy") return undefined;
  return `No signal from its executor for ${formatApproximateDuration(silenceMs)}`;
}

/** Returns whether an executor is working on the run. */
export function isRunning(run: RunSummary): boolean {
  const { state } = run.state;
  return state === "running" && run.attendance.where !== "none";
}

/**
 * Returns whether the plan's last run needs a person to continue. A summary can't tell a question
 * from a wait for a free slot, so `waitingRuns` has the runs that have asked.
 */
export function needsPerson(
  { lastRun, damage }: PlanSummary,
  waitingRuns: ReadonlySet<string>,
): boolean {
  if (damage) return true;
  if (!lastRun) return false;
  const { state } = lastRun.state;
  return (
    ["failed", "stalled", "replanning"].includes(state) ||
    isAbandoned(lastRun) ||
    waitingRuns.has(lastRun.id)
  );
}
