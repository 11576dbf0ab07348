import type { CheckpointView, HistoryRow } from "@/api/bindings";

/** The checkpoint that a line of the history leads back to. */
export interface RollbackTarget {
  checkpoint: CheckpointView;
  /** The line is the checkpoint itself; otherwise it is the last one before the line. */
  exact: boolean;
}

/** The lines of rollbacks, latest first. */
export function rollbackRows(rows: readonly HistoryRow[]): readonly HistoryRow[] {
  return rows.filter(({ event }) => event.event === "rolled_back");
}

/**
 * Returns where the run can return to from a line of its history: states are stored at checkpoints
 * only. `checkpoints` are in the order in which they were made. After a rollback, the run is at the
 * checkpoint that it returned to, until the next one is made.
 */
export function rollbackTarget(
  { at, seq, event }: Pick<HistoryRow, "at" | "seq" | "event">,
  checkpoints: readonly CheckpointView[],
  rollbacks: readonly Pick<HistoryRow, "at" | "seq" | "event">[],
): RollbackTarget | undefined {
  if (event.event === "checkpoint_made") {
    const own = checkpoints.findLast((each) => each.at === at && each.name === event.name);
    if (own) return { checkpoint: own, exact: true };
  }
  // One of the same millisecond may be later than the line.
  const made = checkpoints.findLast((each) => each.at < at);
  const rollback = rollbacks.find((each) => each.seq < seq);
  const before =
    rollback?.event.event === "rolled_back" && (made === undefined || made.at <= rollback.at)
      ? withNumber(checkpoints, rollback.event.checkpoint)
      : made;
  return before && { checkpoint: before, exact: false };
}

function withNumber(checkpoints: readonly CheckpointView[], number: number) {
  return checkpoints.find((each) => each.number === number);
}

/** The label of the act: "Roll back to before this…". */
export function rollbackLabel({ exact }: RollbackTarget): string {
  return exact ? "Roll back…" : "Roll back to before this…";
}
