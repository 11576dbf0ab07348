import type { PlanSummary, RunSummary } from "@/api/bindings";

/** A run that has not ended: it runs, rests, or waits for somebody. */
export function isOpen(run: RunSummary): boolean {
  return !["completed", "failed", "cancelled"].includes(run.state.state);
}

/** It says that it runs, but its executor is gone: it goes on when somebody resumes it. */
export function isAbandoned(run: RunSummary): boolean {
  return run.state.state === "running" && !run.attended;
}

/** Somebody works on it at this moment. */
export function isRunning(run: RunSummary): boolean {
  const { state } = run.state;
  return (state === "running" && run.attended) || state === "replanning";
}

/**
 * Whether the plan's last run goes on only when a person acts. `asking` holds the runs in which a session asks something;
 * a summary does not tell a question from a wait for a free place.
 */
export function needsPerson({ lastRun }: PlanSummary, asking: ReadonlySet<string>): boolean {
  if (!lastRun) return false;
  const { state } = lastRun.state;
  return (
    state === "failed" || state === "stalled" || isAbandoned(lastRun) || asking.has(lastRun.id)
  );
}
