import type {
  NodeId,
  NodeMarks,
  NodeRunView,
  NodeSnapshot,
  RunState,
  RunView,
} from "@/api/bindings";
import { nodeStateKey } from "@/components/progress";
import { noWorkTime } from "@/components/workTime";
import { lastIndexAtMost, type NodeTrack, nodeMomentAt, type StateHistory } from "./stateHistory";

/** The moment of a run that is shown. */
interface SelectedMoment {
  /** Its index in the moments of the state history. */
  index: number;
  /** The sequence number of its event. */
  seq: number;
  at: number;
}

/** A run as shown on the page: the current state, or with `past` the state at a moment. */
export type ShownRun = RunView & { past?: SelectedMoment };

/** Why commands are disabled during a replay. */
export const pastMomentRefusal = "This is an earlier moment of the run. Go back to now first";

/**
 * Returns the run as it was at a moment, with the plan version that it executes. Facts that the
 * history lacks, such as the agent of an attempt, are taken from `run` if they concern the same
 * attempt, and omitted otherwise.
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
      // The executor's health is a matter of the present.
      attendance: { where: "here" },
    },
    past: { index, seq: moment.seq, at: moment.at },
  };
}

/**
 * The nodes last shown for a history, so that the cost of the next moment depends on the
 * difference, not on the size of the run.
 */
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

/** Returns the indexes of the nodes that changed between two moments, in either order. */
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

// Views keep their identity, so that moving back and forth renders only the differences.
const nodeViewCache = new WeakMap<NodeSnapshot, NodeRunView>();

function nodeAt(
  id: NodeId,
  track: NodeTrack | undefined,
  index: number,
  now: NodeRunView | undefined,
): NodeRunView {
  const snapshot = track && nodeMomentAt(track, index);
  if (!snapshot) return { ...pendingNodeRun, node: id };
  const old = nodeViewCache.get(snapshot);
  if (old) return old;
  const same = now?.attempt === snapshot.attempt;
  const { state, attempt, session, startedAt, endedAt, stale, unverified, taken } = snapshot;
  const view: NodeRunView = {
    ...pendingNodeRun,
    node: id,
    state,
    attempt,
    session,
    startedAt,
    endedAt,
    times: timesAt(snapshot, same ? now : undefined),
    stale,
    unverified,
    ...(state.state === "done" && now?.notChecked && { notChecked: true }),
    marks: {
      ...noMarks,
      taken,
      ...(same && now.marks.choice && { choice: now.marks.choice }),
      // Known from the start of the run, and never changes.
      ...(now?.marks.pinnedOutput && { pinnedOutput: now.marks.pinnedOutput }),
    },
    artifact: same && state.state === "done" ? now.artifact : null,
  };
  nodeViewCache.set(snapshot, view);
  return view;
}

/**
 * The times of a node at a moment. The history has no measured times, so those of an attempt that
 * is still the latest one are taken from the run, and others are from its start to its end.
 */
function timesAt({ state, startedAt, endedAt }: NodeSnapshot, now: NodeRunView | undefined) {
  if (startedAt === null) return noWorkTime;
  if (state.state === "running") return { ...noWorkTime, workingSince: startedAt };
  if (endedAt === null) return noWorkTime;
  if (now !== undefined && now.times.elapsedMs !== null) return now.times;
  const span = Math.max(0, endedAt - startedAt);
  return { ...noWorkTime, workedMs: span, elapsedMs: span };
}

/** The marks of a node without any. */
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

/** The run state of a node that has not started. */
export const pendingNodeRun: Omit<NodeRunView, "node"> = {
  state: { state: "pending" },
  attempt: 0,
  session: null,
  startedAt: null,
  endedAt: null,
  times: noWorkTime,
  stale: false,
  unverified: false,
  marks: noMarks,
  activity: null,
  quietSince: null,
  artifact: null,
};
