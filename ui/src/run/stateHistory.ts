import type {
  NodeId,
  NodeSnapshot,
  RunId,
  RunState,
  RunStateChange,
  StateHistoryView,
} from "@/api/bindings";
import { isAwaitingReview } from "@/components/runStatus";

/** How the states of a run followed each other, ready to be asked for any moment. Pure; grows by `appendMoments`. */
export interface StateHistory {
  run: RunId;
  /** The last event that is known. */
  seq: number;
  /** The executable nodes in the order of the plan. */
  nodes: readonly NodeId[];
  moments: readonly RunStateChange[];
  /** What happened to each node, by its place in `nodes`. */
  tracks: readonly NodeTrack[];
  /** How the run went, each with the moment from which on. */
  states: readonly { index: number; state: RunState }[];
}

/** What happened to one node: its moments, and the moments from which on they held. */
export interface NodeTrack {
  indexes: readonly number[];
  moments: readonly NodeSnapshot[];
}

const emptyTrack: NodeTrack = { indexes: [], moments: [] };

export function emptyStateHistory(run: RunId): StateHistory {
  return { run, seq: 0, nodes: [], moments: [], tracks: [], states: [] };
}

/** The course with what came after its last event. Tracks of nodes to which nothing happened keep their identity. */
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
    for (const standing of moment.nodes) {
      const before = tracks[standing.place] ?? emptyTrack;
      const track = grown.get(standing.place) ?? {
        indexes: [...before.indexes],
        moments: [...before.moments],
      };
      track.indexes.push(index);
      track.moments.push(standing);
      grown.set(standing.place, track);
    }
  });
  for (const [place, track] of grown) tracks[place] = track;
  const all = stateHistory.moments.concat(moments);
  return { run: stateHistory.run, seq, nodes, moments: all, tracks, states };
}

/** How a node stood at a moment; nothing while nothing had happened to it. */
export function nodeMomentAt(track: NodeTrack, index: number): NodeSnapshot | undefined {
  return track.moments[lastIndexAtMost(track.indexes, index)];
}

/** The last moment that was not after `at`; the first one when all were. */
export function momentIndexAt({ moments }: StateHistory, at: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle]?.at ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The place of the last number that is at most `limit` in a list that rises; -1 when there is none. */
export function lastIndexAtMost(rising: readonly number[], limit: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? Number.POSITIVE_INFINITY) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What a moment is worth marking for, the gravest first; most are worth nothing. */
export type MomentMark = "failure" | "question" | "end" | "start";

export function momentMark({ nodes, run }: RunStateChange): MomentMark | undefined {
  const words = new Set(nodes.map(({ state }) => state.state));
  if (words.has("failed") || words.has("interrupted") || run?.state === "failed") return "failure";
  // What is tried again has failed before.
  if (nodes.some(({ state }) => state.state === "waiting" && state.for.kind === "retry_at"))
    return "failure";
  const waits = run !== undefined && (run.state === "stalled" || isAwaitingReview(run));
  if (waits || nodes.some(({ state }) => waitsForPerson(state))) return "question";
  if (words.has("done") || words.has("skipped")) return "end";
  return words.has("running") ? "start" : undefined;
}

/** Whether a node in this state waits for the word of a person. */
export function waitsForPerson(state: NodeSnapshot["state"]): boolean {
  return (
    state.state === "waiting" && ["approval", "input", "merge", "person"].includes(state.for.kind)
  );
}
