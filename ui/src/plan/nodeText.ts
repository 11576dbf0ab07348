import type { Failure, Node, NodeId, NodeRunView, NodeState, Obstacle } from "@/api/bindings";
import { formatDuration } from "@/components/duration";
import { type NodeStateAppearance, nodeStateLabel } from "@/components/nodeState";
import { quoteTitle } from "@/components/quotedTitle";
import { kindLabels } from "./kinds";
import { pinnedOutputText } from "./pinnedOutputText";

/** Reports whether a waiting node needs a person, rather than a point in time or a free slot. */
function waitsForPerson(wait: WaitingFor): boolean {
  return !["slot", "retry_at", "limit_until"].includes(wait.kind);
}

/** How a node is displayed: its state in the run, or pending when there is no run. */
export function nodeStateAppearance(
  run: Pick<NodeRunView, "state" | "stale" | "unverified" | "notChecked"> | undefined,
): NodeStateAppearance {
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

/** Why a node is in its state, including locks and agent limits that hold it back. */
export function runReason(
  { state, marks }: Pick<NodeRunView, "state" | "marks">,
  titleOf: TitleOf,
): string | undefined {
  if (marks.pinnedOutput) return pinnedOutputText(marks.pinnedOutput);
  const held = state.state === "pending" ? marks.heldBack : undefined;
  return held ? obstacleText(held.by) : stateReason(state, titleOf);
}

function obstacleText(by: Obstacle): string {
  if (by.kind === "agent") {
    const sessions = by.limit === 1 ? "1 session" : `${by.limit} sessions`;
    return `Waits for agent ${by.agent}: limited to ${sessions} across all runs`;
  }
  if (!by.holder) return `Waits for lock ${by.name}; others go first`;
  const where = by.holder.run === undefined ? "" : ` in run ${by.holder.run}`;
  return `Waits for lock ${by.name}, held by ${quoteTitle(displayTitle(by.holder.title))}${where}`;
}

/** Returns the title of another node, for messages that mention it. */
export type TitleOf = (id: NodeId) => string;

/** Explains a node's state in a sentence; undefined when the state's label says it all. */
export function stateReason(state: NodeState, titleOf: TitleOf): string | undefined {
  switch (state.state) {
    case "pending":
    case "running":
      return undefined;
    case "done":
      return state.byHand ? "Marked done manually" : undefined;
    case "blocked":
      return `${quoteTitle(titleOf(state.by))} did not succeed`;
    case "failed":
      return state.wentOnAt
        ? `Failed, continued at ${titleOf(state.wentOnAt)}: ${failureText(state.failure)}`
        : failureText(state.failure);
    case "interrupted":
      return state.detail;
    case "waiting":
      return waitText(state.for);
    case "skipped":
      return skipText(state.reason, titleOf);
  }
}

type WaitingFor = Extract<NodeState, { state: "waiting" }>["for"];
type SkipReason = Extract<NodeState, { state: "skipped" }>["reason"];

function waitText(wait: WaitingFor): string {
  switch (wait.kind) {
    case "slot":
      return "Waiting for a free slot";
    case "retry_at":
      return `Retries at ${formatClockTime(wait.at)}`;
    case "limit_until":
      return `Usage limit until ${formatClockTime(wait.at)}`;
    case "approval":
      return wait.question || "Waiting for your permission to start";
    case "merge":
      return `${wait.conflict.ours} and ${wait.conflict.theirs} conflict`;
    case "input":
    case "person":
      return wait.question;
  }
}

function skipText(reason: SkipReason, titleOf: TitleOf): string {
  switch (reason.kind) {
    case "by_hand":
      return "Skipped manually";
    case "disabled":
      return "Skipped: disabled in the blueprint";
    case "after_failure":
      return `Skipped after a failure: ${failureText(reason.failure)}`;
    case "parent_skipped":
      return `Skipped with ${titleOf(reason.parent)}`;
    case "refused":
      return "Skipped: permission to start was denied";
    case "not_taken":
      return `Not taken: ${titleOf(reason.by)} chose another branch`;
    case "only_pinned_need":
      return "Left out: only pinned nodes need it";
    case "jumped_over":
      return `Bypassed after ${titleOf(reason.by)}`;
    case "rule_not_met":
      return reason.because
        ? `Trigger rule not met: ${titleOf(reason.because)} failed`
        : "Trigger rule not met";
  }
}

/** A failure in short: "Exit code 2", "Timed out after 1m 00s". */
export function failureText(failure: Failure): string {
  switch (failure.reason) {
    case "exit_code":
      return `Exit code ${failure.code}`;
    case "signal":
      return `Terminated by signal ${failure.signal}`;
    case "no_answer":
      return `No answer within ${formatDuration(failure.limitMs)}`;
    case "by_hand":
      return "Marked failed manually";
    case "budget_spent":
      return `Budget spent: ${failure.detail}`;
    case "sub_plan":
      return `Sub-plan failed: ${failure.detail}`;
    case "timed_out":
      return `Timed out after ${formatDuration(failure.limitMs)}`;
    case "not_started":
      return `Couldn't start: ${failure.detail}`;
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

function formatClockTime(at: number): string {
  return new Date(at).toLocaleTimeString("en-US", {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
}

/** A title on one line; "Untitled" if it is empty. */
export function displayTitle(title: string): string {
  return title.replace(/\s+/g, " ").trim() || "Untitled";
}

/** A node as read by a screen reader: "Collect commits, command, Done". */
export function nodeLabel(node: Node, run: NodeRunView | undefined, reason?: string): string {
  return [
    displayTitle(node.title),
    kindLabels[node.kind.kind],
    node.disabled && "disabled",
    run && nodeStateLabel(nodeStateAppearance(run)),
    reason ?? (run?.marks.pinnedOutput && pinnedOutputText(run.marks.pinnedOutput)),
    run?.pinned &&
      (run.pinned.length === 1 ? "1 handoff pinned" : `${run.pinned.length} handoffs pinned`),
    node.keepsPlace && "position kept when tidying",
  ]
    .filter(Boolean)
    .join(", ");
}
