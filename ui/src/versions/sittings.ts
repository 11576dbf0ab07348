import type { PlanVersionRow } from "@/api/bindings";

/** Versions that one author saved in one go. */
export interface Sitting {
  /** Newest first; never empty. */
  rows: [PlanVersionRow, ...PlanVersionRow[]];
}

/** Two versions belong to one sitting if less time passed between them. In milliseconds. */
const maxPauseMs = 10 * 60 * 1_000;

/** Groups versions, newest first, by sitting. Pure. */
export function groupIntoSittings(versions: readonly PlanVersionRow[]): Sitting[] {
  const sittings: Sitting[] = [];
  for (const row of versions) {
    const sitting = sittings.at(-1);
    const later = sitting?.rows.at(-1);
    // Clocks may have been set back, so the order of versions isn't that of times.
    const isClose = later && Math.abs(later.at - row.at) < maxPauseMs;
    if (sitting && isClose && later.author === row.author) sitting.rows.push(row);
    else sittings.push({ rows: [row] });
  }
  return sittings;
}
