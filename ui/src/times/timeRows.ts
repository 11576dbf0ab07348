import type { NodeId } from "@/api/bindings";
import { type Bar, barsOf } from "@/run/bars";
import type { Course, Track } from "@/run/course";

/** One node over time. */
export interface TimeRow {
  node: NodeId;
  bars: readonly Bar[];
}

export type RowOrder = "start" | "plan";

const known = new WeakMap<Track, readonly Bar[]>();
const noBars: readonly Bar[] = [];

/** A row for each node; by the time of the first bar, and those without one last; or in the order of the plan. */
export function timeRows(course: Course, order: RowOrder): TimeRow[] {
  const rows = course.nodes.map((node, place) => ({ node, bars: knownBars(course, place) }));
  if (order === "plan") return rows;
  const begun = ({ bars }: TimeRow) => bars[0]?.from ?? Number.POSITIVE_INFINITY;
  // Two that never began differ by NaN, which sorts as equal: they stay in the order of the plan.
  return rows.toSorted((one, other) => begun(one) - begun(other) || 0);
}

// A track that has not grown is the very track of before.
function knownBars(course: Course, place: number): readonly Bar[] {
  const track = course.tracks[place];
  if (!track || track.indexes.length === 0) return noBars;
  const old = known.get(track);
  if (old) return old;
  const bars = barsOf(course, place);
  known.set(track, bars);
  return bars;
}
