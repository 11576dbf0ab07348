import type { ApiError } from "@/api/ApiError";
import type { KeptBecause, RunsPageRow } from "@/api/bindings";
import { describeActor } from "@/components/actor";
import { formatNumber } from "@/components/formatCount";
import { formatSkippedFailures } from "@/components/progress";
import type { RunStatus } from "@/components/runStatus";
import { isAwaitingReview, isPausedAtGoal } from "@/components/runStatus";
import { displayTitle } from "@/plan/nodeText";

/** The state of a run for its label: "Completed, 1 failure skipped". */
export function runRowStatus({ state, nodes }: Pick<RunsPageRow, "state" | "nodes">): RunStatus {
  if (isAwaitingReview(state)) return { state: "review" };
  if (isPausedAtGoal(state)) return { state: "goal_reached" };
  if (state.state === "completed" && nodes.skippedFailures > 0)
    return {
      state: "completed",
      detail: `Completed, ${formatSkippedFailures(nodes.skippedFailures)}`,
    };
  return { state: state.state };
}

/**
 * Who started a run: "You", "Program ci", "A session", "Another run", or for an error handler, "After
 * the failure of #41 of Nightly".
 */
export function describeStarter({
  actor,
  parent,
  handles,
}: Pick<RunsPageRow, "actor" | "parent" | "handles">): string {
  if (handles) return `After the failure of #${handles.number} of ${displayTitle(handles.title)}`;
  return parent ? "Another run" : describeActor(actor).who;
}

/** The progress of a run: "12 of 18". Skipped nodes count as finished. */
export function formatProgress({ nodes }: Pick<RunsPageRow, "nodes">): string {
  return `${formatNumber(nodes.done + nodes.skipped)} of ${formatNumber(nodes.total)}`;
}

const keptReasons: Record<KeptBecause, string> = {
  running: "a run below it hasn't ended",
  waiting_question: "a question or request about it waits for you",
  unmerged_worktree: "its worktree has work that isn't merged",
};

/** Why an ended run can't be deleted now; `undefined` if it can. */
export function describeKept({ keptBecause }: Pick<RunsPageRow, "keptBecause">) {
  return keptBecause === null ? undefined : `Can't be deleted: ${keptReasons[keptBecause]}`;
}

/** Returns whether a run can be deleted now. */
export function isDeletable(row: Pick<RunsPageRow, "state" | "keptBecause">): boolean {
  return !isOpenRun(row) && row.keptBecause === null;
}

/** Why a run can't be deleted now, as a sentence. */
export function refusalToDelete(row: Pick<RunsPageRow, "state" | "keptBecause">): string {
  return isOpenRun(row) ? "It hasn't ended. Stop it first." : `${describeKept(row) ?? ""}.`;
}

/** Returns whether an error says that a run was deleted, or never existed. */
export function isMissing({ code }: Pick<ApiError, "code">): boolean {
  return code === "not_found" || code === "deleted";
}

/** Returns whether a run can be stopped. */
export function isOpenRun({ state }: Pick<RunsPageRow, "state">): boolean {
  return !["completed", "failed", "cancelled"].includes(state.state);
}
