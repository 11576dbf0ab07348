import type { NodeId } from "@/api/bindings";
import { type AttemptBar, attemptBars } from "@/run/attemptBars";
import type { NodeTrack, StateHistory } from "@/run/stateHistory";

/** One node over time. */
export interface GanttRowData {
  node: NodeId;
  bars: readonly AttemptBar[];
}

export type RowOrder = "start" | "plan";

const known = new WeakMap<NodeTrack, readonly AttemptBar[]>();
const noBars: readonly AttemptBar[] = [];

/** A row for each node; by the time of the first bar, and those without one last; or in the order of the plan. */
export function ganttRows(stateHistory: StateHistory, order: RowOrder): GanttRowData[] {
  const rows = stateHistory.nodes.map((node, place) => ({
    node,
    bars: knownBars(stateHistory, place),
  }));
  if (order === "plan") return rows;
  const begun = ({ bars }: GanttRowData) => bars[0]?.from ?? Number.POSITIVE_INFINITY;
  // Two that never began differ by NaN, which sorts as equal: they stay in the order of the plan.
  return rows.toSorted((one, other) => begun(one) - begun(other) || 0);
}

// A track that has not grown is the very track of before.
function knownBars(stateHistory: StateHistory, place: number): readonly AttemptBar[] {
  const track = stateHistory.tracks[place];
  if (!track || track.indexes.length === 0) return noBars;
  const old = known.get(track);
  if (old) return old;
  const bars = attemptBars(stateHistory, place);
  known.set(track, bars);
  return bars;
}
