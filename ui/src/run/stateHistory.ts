import type {
  NodeId,
  NodeSnapshot,
  RunId,
  RunState,
  RunStateChange,
  StateHistoryView,
} from "@/api/bindings";
import { isAwaitingReview } from "@/components/runStatus";

/**
 * The states of a run over time, indexed for lookups by moment. Immutable; extended by
 * `appendMoments`.
 */
export interface StateHistory {
  run: RunId;
  /** The sequence number of the last known event. */
  seq: number;
  /** The executable nodes in plan order. */
  nodes: readonly NodeId[];
  moments: readonly RunStateChange[];
  /** The track of each node, by its index in `nodes`. */
  tracks: readonly NodeTrack[];
  /** The states of the run, each with the index of the moment when it began. */
  states: readonly { index: number; state: RunState }[];
}

/** The snapshots of one node, and the indexes of the moments when they began. */
export interface NodeTrack {
  indexes: readonly number[];
  moments: readonly NodeSnapshot[];
}

const emptyTrack: NodeTrack = { indexes: [], moments: [] };

export function emptyStateHistory(run: RunId): StateHistory {
  return { run, seq: 0, nodes: [], moments: [], tracks: [], states: [] };
}

/**
 * Returns the history extended by later moments. Tracks of nodes to which nothing happened keep
 * their identity.
 */
export function appendMoments(
  stateHistory: StateHistory,
  { seq, nodes, moments }: StateHistoryView,
): StateHistory {
  if (moments.length === 0 && stateHistory.nodes.length === nodes.length)
    return { ...stateHistory, seq };
  const tracks = nodes.map((_, place) => stateHistory.tracks[place] ?? emptyTrack);
  const states = [...stateHistory.states];
  const grown = new Map<number, { indexes: number[]; moments: NodeSnapshot[] }>();
  moments.forEach((moment, offset) => {
    const index = stateHistory.moments.length + offset;
    if (moment.run) states.push({ index, state: moment.run });
    for (const snapshot of moment.nodes) {
      const before = tracks[snapshot.place] ?? emptyTrack;
      const track = grown.get(snapshot.place) ?? {
        indexes: [...before.indexes],
        moments: [...before.moments],
      };
      track.indexes.push(index);
      track.moments.push(snapshot);
      grown.set(snapshot.place, track);
    }
  });
  for (const [place, track] of grown) tracks[place] = track;
  const all = stateHistory.moments.concat(moments);
  return { run: stateHistory.run, seq, nodes, moments: all, tracks, states };
}

/** Returns the snapshot of a node at a moment; `undefined` before its first one. */
export function nodeMomentAt(track: NodeTrack, index: number): NodeSnapshot | undefined {
  return track.moments[lastIndexAtMost(track.indexes, index)];
}

/** Returns the index of the last moment not after `at`, or 0 if all are later. */
export function momentIndexAt({ moments }: StateHistory, at: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle]?.at ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Returns the index of the last number that is at most `limit` in an ascending list, or -1. */
export function lastIndexAtMost(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Number.POSITIVE_INFINITY) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The reasons to mark a moment, most severe first. Most moments have none. */
export type MomentMark = "failure" | "question" | "end" | "start";

export function momentMark({ nodes, run }: RunStateChange): MomentMark | undefined {
  const words = new Set(nodes.map(({ state }) => state.state));
  if (words.has("failed") || words.has("interrupted") || run?.state === "failed") return "failure";
  // A node that waits for a retry has failed.
  if (nodes.some(({ state }) => state.state === "waiting" && state.for.kind === "retry_at"))
    return "failure";
  const waits = run !== undefined && (run.state === "stalled" || isAwaitingReview(run));
  if (waits || nodes.some(({ state }) => waitsForPerson(state))) return "question";
  if (words.has("done") || words.has("skipped")) return "end";
  return words.has("running") ? "start" : undefined;
}

/** Whether a node in this state waits for a person. */
export function waitsForPerson(state: NodeSnapshot["state"]): boolean {
  return (
    state.state === "waiting" && ["approval", "input", "merge", "person"].includes(state.for.kind)
  );
}
