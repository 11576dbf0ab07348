import type { CourseView, Moment, NodeId, NodeMoment, RunId, RunState } from "@/api/bindings";
import { waitsForReview } from "@/components/runStanding";

/** How the states of a run followed each other, ready to be asked for any moment. Pure; grows by `extended`. */
export interface Course {
  run: RunId;
  /** The last event that is known. */
  seq: number;
  /** The executable nodes in the order of the plan. */
  nodes: readonly NodeId[];
  moments: readonly Moment[];
  /** What happened to each node, by its place in `nodes`. */
  tracks: readonly Track[];
  /** How the run went, each with the moment from which on. */
  states: readonly { index: number; state: RunState }[];
}

/** What happened to one node: its standings, and the moments from which on they held. */
export interface Track {
  indexes: readonly number[];
  standings: readonly NodeMoment[];
}

const unbegun: Track = { indexes: [], standings: [] };

export function emptyCourse(run: RunId): Course {
  return { run, seq: 0, nodes: [], moments: [], tracks: [], states: [] };
}

/** The course with what came after its last event. Tracks of nodes to which nothing happened keep their identity. */
export function extended(course: Course, { seq, nodes, moments }: CourseView): Course {
  if (moments.length === 0 && course.nodes.length === nodes.length) return { ...course, seq };
  const tracks = nodes.map((_, place) => course.tracks[place] ?? unbegun);
  const states = [...course.states];
  const grown = new Map<number, { indexes: number[]; standings: NodeMoment[] }>();
  moments.forEach((moment, offset) => {
    const index = course.moments.length + offset;
    if (moment.run) states.push({ index, state: moment.run });
    for (const standing of moment.nodes) {
      const before = tracks[standing.place] ?? unbegun;
      const track = grown.get(standing.place) ?? {
        indexes: [...before.indexes],
        standings: [...before.standings],
      };
      track.indexes.push(index);
      track.standings.push(standing);
      grown.set(standing.place, track);
    }
  });
  for (const [place, track] of grown) tracks[place] = track;
  const all = course.moments.concat(moments);
  return { run: course.run, seq, nodes, moments: all, tracks, states };
}

/** How a node stood at a moment; nothing while nothing had happened to it. */
export function standingAt(track: Track, index: number): NodeMoment | undefined {
  return track.standings[lastAtMost(track.indexes, index)];
}

/** The last moment that was not after `at`; the first one when all were. */
export function momentAt({ moments }: Course, at: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle]?.at ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The place of the last number that is at most `limit` in a list that rises; -1 when there is none. */
export function lastAtMost(rising: readonly number[], limit: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? Number.POSITIVE_INFINITY) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What a moment is worth marking for, the gravest first; most are worth nothing. */
export type Mark = "failure" | "question" | "end" | "start";

export function markOf({ nodes, run }: Moment): Mark | undefined {
  const words = new Set(nodes.map(({ state }) => state.state));
  if (words.has("failed") || words.has("interrupted") || run?.state === "failed") return "failure";
  // What is tried again has failed before.
  if (nodes.some(({ state }) => state.state === "waiting" && state.for.kind === "retry_at"))
    return "failure";
  const waits = run !== undefined && (run.state === "stalled" || waitsForReview(run));
  if (waits || nodes.some(({ state }) => asksPerson(state))) return "question";
  if (words.has("done") || words.has("skipped")) return "end";
  return words.has("running") ? "start" : undefined;
}

/** Whether a node in this state waits for the word of a person. */
export function asksPerson(state: NodeMoment["state"]): boolean {
  return (
    state.state === "waiting" && ["approval", "input", "merge", "person"].includes(state.for.kind)
  );
}
