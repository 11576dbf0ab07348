import type { Node, NodeRunView, ReviewState, RunView } from "@/api/bindings";
import { pastMomentRefusal, type ShownRun } from "@/run/runAtMoment";
import { hasSession } from "./policies";

/** What a user can do with a node in a run. */
export type NodeAction =
  | "run"
  | "stop"
  | "retry"
  | "resume"
  | "skip"
  | "mark_done"
  | "rerun"
  | "rerun_alone";

/** The facts that decide which actions are available. */
export interface NodeActionContext {
  node: Node;
  review: ReviewState;
  /** The run that is shown. */
  run: ShownRun | undefined;
  nodeRun: NodeRunView | undefined;
}

/**
 * The reason why an action is unavailable, as shown to the user; undefined when it is available.
 */
export function nodeActionRefusal(act: NodeAction, facts: NodeActionContext): string | undefined {
  if (facts.node.kind.kind === "note") return "Notes don't run";
  if (facts.run?.past) return pastMomentRefusal;
  switch (act) {
    case "run":
      return runRefusal(facts);
    case "stop":
      return stopRefusal(facts);
    case "retry":
      return retryRefusal(facts);
    case "skip":
    case "mark_done":
      return decideRefusal(facts);
    case "rerun":
    case "rerun_alone":
      return rerunRefusal(facts);
    case "resume":
      return resumeRefusal(facts);
  }
}

/** Reports whether the run is over. It can still be continued, for example by a retry. */
export function hasEnded(run: Pick<RunView, "summary">): boolean {
  const { state } = run.summary.state;
  return state === "completed" || state === "failed" || state === "cancelled";
}

function runRefusal({ review, run, nodeRun }: NodeActionContext): string | undefined {
  if (!run || hasEnded(run))
    return review === "approved" ? undefined : "Approve the blueprint first";
  if (!nodeRun) return "This run started before the node was added";
  const { state } = run.summary.state;
  const ending = run.summary.state.state === "running" ? run.summary.state.ending : null;
  if (ending) return "The run is finishing";
  if (state === "replanning")
    return "Replanning is in progress; decide on the proposal first, or retry a node";
  switch (nodeRun.state.state) {
    case "running":
      return "Already running";
    case "done":
      return "Already done in this run; rerun it instead";
    case "waiting":
      return waitsToStart(nodeRun) ? undefined : "Its session is still running";
    case "pending":
    case "blocked":
    case "failed":
    case "interrupted":
    case "skipped":
      return undefined;
  }
}

/** Reports whether the node waits for a point in time, so that no session is active. */
function waitsToStart({ state }: NodeRunView): boolean {
  return (
    state.state === "waiting" && (state.for.kind === "retry_at" || state.for.kind === "limit_until")
  );
}

/** Reports whether the node waits for a person before anything of it runs. */
function waitsForApproval({ state }: NodeRunView): boolean {
  return state.state === "waiting" && ["approval", "input", "merge"].includes(state.for.kind);
}

function retryRefusal({ run, nodeRun }: NodeActionContext): string | undefined {
  if (!run || !nodeRun) return "Hasn't run yet";
  switch (nodeRun.state.state) {
    case "failed":
    case "interrupted":
    case "skipped":
      return undefined;
    case "waiting":
      return waitsToStart(nodeRun) ? undefined : "Its session is still running";
    case "running":
      return "Already running";
    case "done":
      return "Already done; rerun it instead";
    case "pending":
      return "Hasn't run yet";
    case "blocked":
      return "Retry the node that blocks it";
  }
}

/** Reports whether a session is active, so that skipping or marking done has to stop it first. */
export function isActive(nodeRun: NodeRunView | undefined): boolean {
  const state = nodeRun?.state;
  return state?.state === "running" || (state?.state === "waiting" && state.for.kind === "person");
}

function stopRefusal({ run, nodeRun }: NodeActionContext): string | undefined {
  if (!run || !nodeRun) return "No run is shown";
  if (!isActive(nodeRun)) return "Not running";
  return nodeRun.marks.stopping ? "Already stopping" : undefined;
}

function resumeRefusal({ node, run, nodeRun }: NodeActionContext): string | undefined {
  if (!run || nodeRun?.state.state !== "interrupted") return "Not interrupted";
  if (!hasSession(node)) return "Only agent sessions can be resumed";
  return nodeRun.session === null ? "No session to resume" : undefined;
}

function decideRefusal({ run, nodeRun }: NodeActionContext): string | undefined {
  if (!run || !nodeRun) return "No run is shown";
  const { state } = run.summary.state;
  if (state === "completed" || state === "cancelled") return "The run is over";
  switch (nodeRun.state.state) {
    case "pending":
    case "blocked":
    case "failed":
    case "interrupted":
      return undefined;
    case "waiting":
      return waitsToStart(nodeRun) || waitsForApproval(nodeRun)
        ? undefined
        : stopFirstRefusal(nodeRun);
    case "running":
      return stopFirstRefusal(nodeRun);
    case "done":
      return "Already done";
    case "skipped":
      return "Already skipped";
  }
}

function stopFirstRefusal(nodeRun: NodeRunView): string | undefined {
  return nodeRun.marks.stopping ? "Already stopping" : undefined;
}

function rerunRefusal({ run, nodeRun }: NodeActionContext): string | undefined {
  if (!run || !nodeRun) return "No run is shown";
  switch (nodeRun.state.state) {
    case "running":
    case "waiting":
      return "Still running";
    case "pending":
      return "Hasn't run yet";
    default:
      return undefined;
  }
}
