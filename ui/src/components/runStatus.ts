import type { RunSummary } from "@/api/bindings";
import { formatCount } from "./formatCount";
import { countStates, formatSkippedFailures } from "./progress";
import type { RunStateName } from "./RunStateLabel";

/** The state of a run for its label, with a detail where the state alone would be misleading. */
export interface RunStatus {
  state: RunStateName;
  detail?: string;
}

/**
 * Returns the state of a run, with a detail such as "Node done, 3 nodes not run" or "Completed, 1
 * failure skipped".
 */
export function summarizeRunStatus({
  state,
  progress,
  skippedFailures = 0,
}: Pick<RunSummary, "state" | "progress" | "skippedFailures">): RunStatus {
  if (isAwaitingReview(state)) return { state: "review" };
  if (state.state === "running" && state.ending?.kind === "verifying")
    return { state: "running", detail: "Verifying inherited work" };
  if (isPausedAtGoal(state))
    return { state: "goal_reached", detail: describeGoalProgress(progress) };
  if (state.state === "completed" && skippedFailures > 0)
    return {
      state: "completed",
      detail: `Completed, ${formatSkippedFailures(skippedFailures)}`,
    };
  return { state: state.state };
}

/** Whether a run was taken over and a person decides whether it continues. */
export function isAwaitingReview(state: RunSummary["state"]): boolean {
  return (
    (state.state === "paused" && state.reason === "taken_over") ||
    (state.state === "running" && state.ending?.kind === "reviewing")
  );
}

/**
 * Whether the requested nodes are done and others are left; the next run of the blueprint continues
 * it.
 */
export function isPausedAtGoal(state: RunSummary["state"]): boolean {
  return state.state === "paused" && state.reason === "goal_reached";
}

/** Describes the progress of a run that is paused at its goal: "Node done, 3 nodes not run". */
export function describeGoalProgress(progress: RunSummary["progress"]): string {
  const { done, pending, blocked, waiting } = countStates(progress);
  const left = formatCount(pending + blocked + waiting, "node");
  return `${done > 1 ? `${formatCount(done, "node")} done` : "Node done"}, ${left} not run`;
}
