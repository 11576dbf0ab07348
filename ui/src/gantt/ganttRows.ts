import type { NodeId } from "@/api/bindings";
import { type AttemptBar, attemptBars } from "@/run/attemptBars";
import type { NodeTrack, StateHistory } from "@/run/stateHistory";

/** One node with its attempts over time. */
export interface GanttRowData {
  node: NodeId;
  bars: readonly AttemptBar[];
}

export type RowOrder = "start" | "plan";

const known = new WeakMap<NodeTrack, readonly AttemptBar[]>();
const noBars: readonly AttemptBar[] = [];

/**
 * One row per node, either by the start of the first attempt, with nodes that haven't started last,
 * or in plan order.
 */
export function ganttRows(stateHistory: StateHistory, order: RowOrder): GanttRowData[] {
  const rows = stateHistory.nodes.map((node, place) => ({
    node,
    bars: knownBars(stateHistory, place),
  }));
  if (order === "plan") return rows;
  const begun = ({ bars }: GanttRowData) => bars[0]?.from ?? Number.POSITIVE_INFINITY;
  // For two nodes that haven't started, the difference is NaN, which sorts as equal and keeps plan
  // order.
  return rows.toSorted((one, other) => begun(one) - begun(other) || 0);
}

// A track that hasn't grown is the same object as before, so its bars can be cached.
function knownBars(stateHistory: StateHistory, place: number): readonly AttemptBar[] {
  const track = stateHistory.tracks[place];
  if (!track || track.indexes.length === 0) return noBars;
  const old = known.get(track);
  if (old) return old;
  const bars = attemptBars(stateHistory, place);
  known.set(track, bars);
  return bars;
}
