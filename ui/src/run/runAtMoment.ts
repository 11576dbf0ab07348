import type {
  NodeId,
  NodeMarks,
  NodeRunView,
  NodeSnapshot,
  RunState,
  RunView,
} from "@/api/bindings";
import { nodeStateKey } from "@/components/progress";
import { lastIndexAtMost, type NodeTrack, nodeMomentAt, type StateHistory } from "./stateHistory";

/** Which moment of a run is looked at. */
interface SelectedMoment {
  /** Its place among the moments of the course. */
  index: number;
  /** The number of its event. */
  seq: number;
  at: number;
}

/** A run as the page shows it: as it is, or with `past` as it was at a moment. */
export type ShownRun = RunView & { past?: SelectedMoment };

/** Why nothing can be done while an earlier moment is looked at. */
export const pastMomentRefusal = "This is an earlier moment of the run. Go back to now first";

/**
 * The run as it was at a moment of its course: by its own version of the plan. What the course does not tell, such as
 * the agent of an attempt, is taken from `run` where it is about the same attempt, and left out otherwise.
 */
export function runAtMoment(run: RunView, stateHistory: StateHistory, index: number): ShownRun {
  const moment = stateHistory.moments[index];
  if (!moment) return run;
  const nodes = nodesAt(run, stateHistory, index);
  const state = stateAt(stateHistory, index) ?? run.summary.state;
  return {
    ...run,
    seq: moment.seq,
    nodes,
    takeover: null,
    summary: {
      ...run.summary,
      state,
      endedAt: hasEnded(state) ? moment.at : null,
      progress: nodes.map((node) => nodeStateKey(node.state)),
      // Whether somebody carries it out is a question of now.
      attendance: { where: "here" },
    },
    past: { index, seq: moment.seq, at: moment.at },
  };
}

/** The nodes as they were shown last of a course, so that the next moment costs what differs, not what the run holds. */
const lastShown = new WeakMap<
  StateHistory,
  { run: RunView; index: number; nodes: NodeRunView[] }
>();

function nodesAt(run: RunView, stateHistory: StateHistory, index: number): NodeRunView[] {
  const last = lastShown.get(stateHistory);
  const isSame = last?.run === run;
  const nodes = isSame ? last.nodes.slice() : [];
  const now = nodesById(run);
  const places = isSame
    ? nodesChangedBetween(stateHistory, last.index, index)
    : stateHistory.nodes.keys();
  for (const place of places) {
    const id = stateHistory.nodes[place];
    if (id !== undefined) nodes[place] = nodeAt(id, stateHistory.tracks[place], index, now.get(id));
  }
  lastShown.set(stateHistory, { run, index, nodes });
  return nodes;
}

/** The places of the nodes to which something happened between two moments, whichever of them was earlier. */
function nodesChangedBetween({ moments }: StateHistory, one: number, other: number): Set<number> {
  const places = new Set<number>();
  const last = Math.max(one, other);
  for (let at = Math.min(one, other) + 1; at <= last; at += 1)
    for (const { place } of moments[at]?.nodes ?? []) places.add(place);
  return places;
}

const nodesByIdCache = new WeakMap<RunView, ReadonlyMap<NodeId, NodeRunView>>();

function nodesById(run: RunView): ReadonlyMap<NodeId, NodeRunView> {
  const known = nodesByIdCache.get(run) ?? new Map(run.nodes.map((node) => [node.node, node]));
  nodesByIdCache.set(run, known);
  return known;
}

function stateAt({ states }: StateHistory, index: number): RunState | undefined {
  const at = lastIndexAtMost(
    states.map((each) => each.index),
    index,
  );
  return states[at]?.state;
}

function hasEnded({ state }: RunState): boolean {
  return state === "completed" || state === "failed" || state === "cancelled";
}

// A moment of a node looks the same whenever it is shown, so that going to and fro draws only what differs.
const nodeViewCache = new WeakMap<NodeSnapshot, NodeRunView>();

function nodeAt(
  id: NodeId,
  track: NodeTrack | undefined,
  index: number,
  now: NodeRunView | undefined,
): NodeRunView {
  const standing = track && nodeMomentAt(track, index);
  if (!standing) return { ...pendingNodeRun, node: id };
  const old = nodeViewCache.get(standing);
  if (old) return old;
  const same = now?.attempt === standing.attempt;
  const { state, attempt, session, startedAt, endedAt, stale, unverified, taken } = standing;
  const view: NodeRunView = {
    ...pendingNodeRun,
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
  nodeViewCache.set(standing, view);
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
export const pendingNodeRun: Omit<NodeRunView, "node"> = {
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
