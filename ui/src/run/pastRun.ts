import type { NodeId, NodeMarks, NodeMoment, NodeRunView, RunState, RunView } from "@/api/bindings";
import { stateWordOf } from "@/components/progress";
import { type Course, lastAtMost, standingAt, type Track } from "./course";

/** Which moment of a run is looked at. */
interface PastMoment {
  /** Its place among the moments of the course. */
  index: number;
  /** The number of its event. */
  seq: number;
  at: number;
}

/** A run as the page shows it: as it is, or with `past` as it was at a moment. */
export type ShownRun = RunView & { past?: PastMoment };

/** Why nothing can be done while an earlier moment is looked at. */
export const pastRefusal = "This is an earlier moment of the run. Go back to now first";

/**
 * The run as it was at a moment of its course: by its own version of the plan. What the course does not tell, such as
 * the agent of an attempt, is taken from `run` where it is about the same attempt, and left out otherwise.
 */
export function runAt(run: RunView, course: Course, index: number): ShownRun {
  const moment = course.moments[index];
  if (!moment) return run;
  const nodes = nodesAt(run, course, index);
  const state = stateAt(course, index) ?? run.summary.state;
  return {
    ...run,
    seq: moment.seq,
    nodes,
    takeover: null,
    summary: {
      ...run.summary,
      state,
      endedAt: hasEnded(state) ? moment.at : null,
      progress: nodes.map((node) => stateWordOf(node.state)),
      // Whether somebody carries it out is a question of now.
      attendance: { where: "here" },
    },
    past: { index, seq: moment.seq, at: moment.at },
  };
}

/** The nodes as they were shown last of a course, so that the next moment costs what differs, not what the run holds. */
const shown = new WeakMap<Course, { run: RunView; index: number; nodes: NodeRunView[] }>();

function nodesAt(run: RunView, course: Course, index: number): NodeRunView[] {
  const last = shown.get(course);
  const isSame = last?.run === run;
  const nodes = isSame ? last.nodes.slice() : [];
  const now = nodesById(run);
  const places = isSame ? changedBetween(course, last.index, index) : course.nodes.keys();
  for (const place of places) {
    const id = course.nodes[place];
    if (id !== undefined) nodes[place] = nodeAt(id, course.tracks[place], index, now.get(id));
  }
  shown.set(course, { run, index, nodes });
  return nodes;
}

/** The places of the nodes to which something happened between two moments, whichever of them was earlier. */
function changedBetween({ moments }: Course, one: number, other: number): Set<number> {
  const places = new Set<number>();
  const last = Math.max(one, other);
  for (let at = Math.min(one, other) + 1; at <= last; at += 1)
    for (const { place } of moments[at]?.nodes ?? []) places.add(place);
  return places;
}

const byId = new WeakMap<RunView, ReadonlyMap<NodeId, NodeRunView>>();

function nodesById(run: RunView): ReadonlyMap<NodeId, NodeRunView> {
  const known = byId.get(run) ?? new Map(run.nodes.map((node) => [node.node, node]));
  byId.set(run, known);
  return known;
}

function stateAt({ states }: Course, index: number): RunState | undefined {
  const at = lastAtMost(
    states.map((each) => each.index),
    index,
  );
  return states[at]?.state;
}

function hasEnded({ state }: RunState): boolean {
  return state === "completed" || state === "failed" || state === "cancelled";
}

// A moment of a node looks the same whenever it is shown, so that going to and fro draws only what differs.
const known = new WeakMap<NodeMoment, NodeRunView>();

function nodeAt(
  id: NodeId,
  track: Track | undefined,
  index: number,
  now: NodeRunView | undefined,
): NodeRunView {
  const standing = track && standingAt(track, index);
  if (!standing) return { ...unbegun, node: id };
  const old = known.get(standing);
  if (old) return old;
  const same = now?.attempt === standing.attempt;
  const { state, attempt, session, startedAt, endedAt, stale, unverified, taken } = standing;
  const view: NodeRunView = {
    ...unbegun,
    node: id,
    state,
    attempt,
    session,
    startedAt,
    endedAt,
    stale,
    unverified,
    ...(state.state === "done" && now?.notChecked && { notChecked: true }),
    marks: { ...noMarks, taken, ...(same && now.marks.choice && { choice: now.marks.choice }) },
    artifact: same && state.state === "done" ? now.artifact : null,
  };
  known.set(standing, view);
  return view;
}

/** The marks of a node about which there is nothing to say. */
export const noMarks: NodeMarks = {
  losses: 0,
  silent: false,
  approved: false,
  taken: null,
  resumes: null,
  checkpoint: null,
  spent: { tokens: 0, costMicros: 0 },
  outside: [],
};

/** What a run tells of a node that nobody has begun. */
export const unbegun: Omit<NodeRunView, "node"> = {
  state: { state: "pending" },
  attempt: 0,
  session: null,
  startedAt: null,
  endedAt: null,
  stale: false,
  unverified: false,
  marks: noMarks,
  activity: null,
  quietSince: null,
  artifact: null,
};
