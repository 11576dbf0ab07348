import type { Node, NodeRunView, ReviewState, RunView } from "@/api/bindings";
import { pastRefusal, type ShownRun } from "@/run/pastRun";
import { hasSession } from "./policies";

/** What a person can ask of a node in a run. */
export type NodeAct =
  | "run"
  | "stop"
  | "retry"
  | "resume"
  | "skip"
  | "mark_done"
  | "rerun"
  | "rerun_alone";

/** The facts that decide which acts apply. */
export interface NodeActFacts {
  node: Node;
  review: ReviewState;
  /** The run that is shown. */
  run: ShownRun | undefined;
  nodeRun: NodeRunView | undefined;
}

/** Why an act does not apply, for the person; nothing when it does. */
export function actRefusal(act: NodeAct, facts: NodeActFacts): string | undefined {
  if (facts.node.kind.kind === "note") return "Notes do not run";
  if (facts.run?.past) return pastRefusal;
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

/** Whether the run is over, unless somebody takes it up again. */
export function hasEnded(run: Pick<RunView, "summary">): boolean {
  const { state } = run.summary.state;
  return state === "completed" || state === "failed" || state === "cancelled";
}

function runRefusal({ review, run, nodeRun }: NodeActFacts): string | undefined {
  if (!run || hasEnded(run)) return review === "approved" ? undefined : "Approve the plan first";
  if (!nodeRun) return "This run began before the node was added";
  const { state } = run.summary.state;
  const ending = run.summary.state.state === "running" ? run.summary.state.ending : null;
  if (ending) return "The run is coming to its end";
  if (state === "replanning")
    return "A new plan is being made; decide on it first, or retry a node";
  switch (nodeRun.state.state) {
    case "running":
      return "It runs already";
    case "done":
      return "Done in this run; rerun does it again";
    case "waiting":
      return waitsForItself(nodeRun) ? undefined : "Its session is still alive";
    case "pending":
    case "blocked":
    case "failed":
    case "interrupted":
    case "skipped":
      return undefined;
  }
}

/** Whether it waits for a time, so that no session works on it. */
function waitsForItself({ state }: NodeRunView): boolean {
  return (
    state.state === "waiting" && (state.for.kind === "retry_at" || state.for.kind === "limit_until")
  );
}

/** Whether a person is asked before anything of it runs. */
function asksBeforehand({ state }: NodeRunView): boolean {
  return state.state === "waiting" && ["approval", "input", "merge"].includes(state.for.kind);
}

function retryRefusal({ run, nodeRun }: NodeActFacts): string | undefined {
  if (!run || !nodeRun) return "It has not run yet";
  switch (nodeRun.state.state) {
    case "failed":
    case "interrupted":
    case "skipped":
      return undefined;
    case "waiting":
      return waitsForItself(nodeRun) ? undefined : "Its session is still alive";
    case "running":
      return "It runs already";
    case "done":
      return "It is done; rerun does it again";
    case "pending":
      return "It has not run yet";
    case "blocked":
      return "Retry the node that blocks it";
  }
}

/** Whether a session works on the node, so that skipping or marking it stops that session first. */
export function isWorkedOn(nodeRun: NodeRunView | undefined): boolean {
  const state = nodeRun?.state;
  return state?.state === "running" || (state?.state === "waiting" && state.for.kind === "person");
}

function stopRefusal({ run, nodeRun }: NodeActFacts): string | undefined {
  if (!run || !nodeRun) return "No run is shown";
  if (!isWorkedOn(nodeRun)) return "It isn't running";
  return nodeRun.marks.stopping ? "It is stopping" : undefined;
}

function resumeRefusal({ node, run, nodeRun }: NodeActFacts): string | undefined {
  if (!run || nodeRun?.state.state !== "interrupted") return "It was not interrupted";
  if (!hasSession(node)) return "Only an agent's session can go on";
  return nodeRun.session === null ? "It has no session to go on with" : undefined;
}

function decideRefusal({ run, nodeRun }: NodeActFacts): string | undefined {
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
      return waitsForItself(nodeRun) || asksBeforehand(nodeRun) ? undefined : stopsFirst(nodeRun);
    case "running":
      return stopsFirst(nodeRun);
    case "done":
      return "It is done already";
    case "skipped":
      return "It is skipped already";
  }
}

function stopsFirst(nodeRun: NodeRunView): string | undefined {
  return nodeRun.marks.stopping ? "It is stopping" : undefined;
}

function rerunRefusal({ run, nodeRun }: NodeActFacts): string | undefined {
  if (!run || !nodeRun) return "No run is shown";
  switch (nodeRun.state.state) {
    case "running":
    case "waiting":
      return "It is still at work";
    case "pending":
      return "It has not run yet";
    default:
      return undefined;
  }
}
