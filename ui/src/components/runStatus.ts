import type { RunSummary } from "@/api/bindings";
import { formatCount } from "./formatCount";
import { countStates, formatSkippedFailures } from "./progress";
import type { RunStateName } from "./RunStateLabel";

/** How a run stands, for its label: more than its state's word where that would hide something. */
export interface RunStatus {
  state: RunStateName;
  detail?: string;
}

/** "Node done, 3 nodes not run", "Completed, 1 failure skipped", or the state alone. */
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

/** Whether a run was taken over and a person decides whether it goes on. */
export function isAwaitingReview(state: RunSummary["state"]): boolean {
  return (
    (state.state === "paused" && state.reason === "taken_over") ||
    (state.state === "running" && state.ending?.kind === "reviewing")
  );
}

/** Whether the nodes that were asked for are done and others are left; the next run of the blueprint continues it. */
export function isPausedAtGoal(state: RunSummary["state"]): boolean {
  return state.state === "paused" && state.reason === "goal_reached";
}

/** "Node done, 3 nodes not run". */
export function describeGoalProgress(progress: RunSummary["progress"]): string {
  const { done, pending, blocked, waiting } = countStates(progress);
  const left = formatCount(pending + blocked + waiting, "node");
  return `${done > 1 ? `${formatCount(done, "node")} done` : "Node done"}, ${left} not run`;
}
