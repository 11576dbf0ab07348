import type { PlanSummary, RunSummary } from "@/api/bindings";
import { isPausedAtGoal } from "@/components/runStatus";
import { formatApproximateDuration } from "@/components/time";

/** A run that has not ended: it runs, rests, or waits for somebody. One that did what was asked of it waits for nobody. */
export function isRunOpen({ state }: RunSummary): boolean {
  return !["completed", "failed", "cancelled"].includes(state.state) && !isPausedAtGoal(state);
}

/** Nothing but its title can be read: what else its row says is no fact. */
export function isUnreadable({ damage, version }: PlanSummary): boolean {
  return damage !== undefined && version === 0;
}

/** It says that it runs, but its executor is gone: it goes on when somebody resumes it. */
export function isAbandoned(run: RunSummary): boolean {
  return run.state.state === "running" && run.attendance.where === "none";
}

/** Why a run that somebody else executes may not move: its executor is silent. */
export function describeExecutorSilence({ state, attendance }: RunSummary): string | undefined {
  if (state.state !== "running" || attendance.where !== "elsewhere") return undefined;
  const { health, silenceMs } = attendance;
  if (health === "healthy") return undefined;
  return `Its executor has said nothing for ${formatApproximateDuration(silenceMs)}`;
}

/** Somebody works on it at this moment. */
export function isRunning(run: RunSummary): boolean {
  const { state } = run.state;
  return state === "running" && run.attendance.where !== "none";
}

/**
 * Whether the plan's last run goes on only when a person acts. `asking` holds the runs in which something is asked;
 * a summary does not tell a question from a wait for a free place.
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
