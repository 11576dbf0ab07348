import type { CheckpointView, HistoryRow } from "@/api/bindings";

/** The checkpoint that a line of the history leads back to. */
export interface RollbackTarget {
  checkpoint: CheckpointView;
  /** The line is the checkpoint itself; otherwise it is the last one before the line. */
  exact: boolean;
}

/**
 * Returns where the run can return to from a line of its history: states are stored at checkpoints
 * only. `checkpoints` are in the order in which they were made.
 */
export function rollbackTarget(
  { at, event }: Pick<HistoryRow, "at" | "event">,
  checkpoints: readonly CheckpointView[],
): RollbackTarget | undefined {
  if (event.event === "checkpoint_made") {
    const own = checkpoints.findLast((each) => each.at === at && each.name === event.name);
    if (own) return { checkpoint: own, exact: true };
  }
  // One of the same millisecond may be later than the line.
  const before = checkpoints.findLast((each) => each.at < at);
  return before && { checkpoint: before, exact: false };
}

/** The label of the act: "Roll back to before this…". */
export function rollbackLabel({ exact }: RollbackTarget): string {
  return exact ? "Roll back…" : "Roll back to before this…";
}
