import type { Failure, Node, NodeId, NodeRunView, NodeState, Obstacle } from "@/api/bindings";
import { formatDuration } from "@/components/duration";
import { type NodeStateLook, nodeStateWord } from "@/components/nodeState";
import { kindWords } from "./kinds";

/** Whether a waiting node waits for the word of a person, and not for a time or a place. */
function waitsForPerson(wait: WaitingFor): boolean {
  return !["slot", "retry_at", "limit_until"].includes(wait.kind);
}

/** How a node looks: as the run has it, or as one that no run has touched. */
export function lookOf(
  run: Pick<NodeRunView, "state" | "stale" | "unverified" | "notChecked"> | undefined,
): NodeStateLook {
  if (!run) return { state: "pending" };
  const { state, stale, unverified, notChecked } = run;
  return {
    state: state.state,
    stale,
    unverified,
    ...(notChecked && { notChecked }),
    ...(state.state === "waiting" && {
      waitingFor: waitsForPerson(state.for) ? ("person" as const) : ("time" as const),
    }),
    ...(state.state === "skipped" &&
      state.reason.kind === "after_failure" && { failedAndSkipped: true }),
  };
}

/** Why a node of a run stands where it stands, also what others hold that it needs. */
export function runReason(
  { state, marks }: Pick<NodeRunView, "state" | "marks">,
  titleOf: TitleOf,
): string | undefined {
  const held = state.state === "pending" ? marks.heldBack : undefined;
  return held ? obstacleWords(held.by) : stateReason(state, titleOf);
}

function obstacleWords(by: Obstacle): string {
  if (by.kind === "agent") {
    const sessions = by.limit === 1 ? "1 session" : `${by.limit} sessions`;
    return `Waits for agent ${by.agent}: limited to ${sessions} in all runs`;
  }
  if (!by.holder) return `Waits for lock ${by.name}; others go first`;
  const where = by.holder.run === undefined ? "" : ` in run ${by.holder.run}`;
  return `Waits for lock ${by.name}, held by “${titleWords(by.holder.title)}”${where}`;
}

/** Titles of other nodes, for sentences that name them. */
export type TitleOf = (id: NodeId) => string;

/** Why a node stands where it stands, in a sentence; nothing when the state's word says it all. */
export function stateReason(state: NodeState, titleOf: TitleOf): string | undefined {
  switch (state.state) {
    case "pending":
    case "running":
      return undefined;
    case "done":
      return state.byHand ? "Marked done by hand" : undefined;
    case "blocked":
      return `Cannot start because of ${titleOf(state.by)}`;
    case "failed":
      return state.wentOnAt
        ? `Failed, went on at ${titleOf(state.wentOnAt)}: ${failureWords(state.failure)}`
        : failureWords(state.failure);
    case "interrupted":
      return state.detail;
    case "waiting":
      return waitWords(state.for);
    case "skipped":
      return skipWords(state.reason, titleOf);
  }
}

type WaitingFor = Extract<NodeState, { state: "waiting" }>["for"];
type SkipReason = Extract<NodeState, { state: "skipped" }>["reason"];

function waitWords(wait: WaitingFor): string {
  switch (wait.kind) {
    case "slot":
      return "Waits for a free place";
    case "retry_at":
      return `Tries again at ${clock(wait.at)}`;
    case "limit_until":
      return `Usage limit until ${clock(wait.at)}`;
    case "approval":
      return wait.question || "Waits for your leave to start";
    case "merge":
      return `${wait.conflict.ours} and ${wait.conflict.theirs} do not fit together`;
    case "input":
    case "person":
      return wait.question;
  }
}

function skipWords(reason: SkipReason, titleOf: TitleOf): string {
  switch (reason.kind) {
    case "by_hand":
      return "Skipped by hand";
    case "disabled":
      return "Skipped: disabled in the blueprint";
    case "after_failure":
      return `Skipped after a failure: ${failureWords(reason.failure)}`;
    case "parent_skipped":
      return `Skipped with ${titleOf(reason.parent)}`;
    case "refused":
      return "Skipped: leave to start was refused";
    case "not_taken":
      return `Not taken: ${titleOf(reason.by)} went the other way`;
    case "jumped_over":
      return `Jumped over after ${titleOf(reason.by)}`;
    case "rule_not_met":
      return reason.because
        ? `Start rule not met: ${titleOf(reason.because)} failed`
        : "Start rule not met";
  }
}

/** A failure in a few words: "Exit code 2", "Longer than 1m 00s". */
export function failureWords(failure: Failure): string {
  switch (failure.reason) {
    case "exit_code":
      return `Exit code ${failure.code}`;
    case "signal":
      return `Ended by signal ${failure.signal}`;
    case "no_answer":
      return `Nobody answered within ${formatDuration(failure.limitMs)}`;
    case "by_hand":
      return "Marked failed by hand";
    case "budget_spent":
      return `Budget spent: ${failure.detail}`;
    case "sub_plan":
      return `Its blueprint did not succeed: ${failure.detail}`;
    case "timed_out":
      return `Longer than ${formatDuration(failure.limitMs)}`;
    case "not_started":
      return `Could not start: ${failure.detail}`;
    case "usage_limit":
      return `Usage limit reached: ${failure.detail}`;
    case "agent_error":
    case "tool_error":
    case "unavailable":
    case "bad_input":
      return failure.detail;
    case "criteria_failed":
      return `Acceptance criteria failed: ${failure.detail}`;
    case "unverified":
      return `Not verified: ${failure.detail}`;
    case "session_files":
      return `Session files changed: ${failure.detail}`;
    case "disk_full":
      return `Disk full: ${failure.detail}`;
  }
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** A title on one line; a node without one is still called something. */
export function titleWords(title: string): string {
  return title.replace(/\s+/g, " ").trim() || "Untitled";
}

/** A node for a screen reader: "Collect commits, command, Done". */
export function nodeLabel(node: Node, run: NodeRunView | undefined, reason?: string): string {
  return [
    titleWords(node.title),
    kindWords[node.kind.kind],
    node.disabled && "disabled",
    run && nodeStateWord(lookOf(run)),
    reason,
    run?.pinned &&
      (run.pinned.length === 1 ? "a handoff pinned" : `${run.pinned.length} handoffs pinned`),
    node.keepsPlace && "keeps its place",
  ]
    .filter(Boolean)
    .join(", ");
}
