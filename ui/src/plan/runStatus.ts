import type { NodeId, NodeStatus, RunState, RunSummary, RunView } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { countStates, nodeStateKey, settledCount } from "@/components/progress";
import { runStateLabel } from "@/components/RunStateLabel";
import { isPausedAtGoal } from "@/components/runStatus";
import { formatApproximateDuration } from "@/components/time";
import { displayTitle, failureText } from "./nodeText";

/** The phase of a run, which decides what the run bar offers. */
export type RunPhase =
  /** No run, or one that is over, reached its goal, or waits for a new version of its plan. */
  | "idle"
  | "running"
  | "pausing"
  | "stopping"
  /** A node with the policy "end the run" failed; running nodes may finish. */
  | "aborting"
  | "paused"
  | "stalled"
  /** Marked as running, but no executor works on it. */
  | "orphaned";

export function runPhase(run: Pick<RunView, "summary"> | undefined): RunPhase {
  if (!run) return "idle";
  const { state, attendance } = run.summary;
  switch (state.state) {
    case "completed":
    case "failed":
    case "cancelled":
    case "replanning":
      return "idle";
    case "paused":
      // Reached its goal: the next start continues it.
      return isPausedAtGoal(state) ? "idle" : "paused";
    case "stalled":
      return "stalled";
    case "running":
      if (attendance.where === "none") return "orphaned";
      return state.ending ? endings[state.ending.kind] : "running";
  }
}

const endings = {
  pausing: "pausing",
  cancelling: "stopping",
  time_up: "stopping",
  budget_spent: "stopping",
  aborting: "aborting",
  verifying: "running",
  reviewing: "pausing",
} as const satisfies Record<
  NonNullable<Extract<RunState, { state: "running" }>["ending"]>["kind"],
  RunPhase
>;

/**
 * Counts done nodes that were not confirmed: "2 unverified, 1 not checked"; undefined when there
 * are none.
 */
export function unverifiedText(run: Pick<RunView, "nodes"> | undefined): string | undefined {
  const done = run?.nodes.filter(({ state }) => state.state === "done") ?? [];
  const unverified = done.filter((node) => node.unverified).length;
  const notChecked = done.filter((node) => node.notChecked && !node.unverified).length;
  const words = [
    unverified > 0 && `${formatNumber(unverified)} unverified`,
    notChecked > 0 && `${formatNumber(notChecked)} not checked`,
  ];
  return words.filter(Boolean).join(", ") || undefined;
}

/** The warning for an executor elsewhere that has gone silent; undefined while it is healthy. */
export function executorSilenceText({ state, attendance }: RunSummary): string | undefined {
  if (state.state !== "running" || attendance.where !== "elsewhere") return undefined;
  const { health, pid, silenceMs } = attendance;
  const silence = `Process ${pid}, which is running this run, has been silent for ${formatApproximateDuration(silenceMs)}.`;
  switch (health) {
    case "unhealthy":
      return `${silence} Baton is monitoring the run.`;
    case "stale":
      return `${silence} You can take over the run. Finished nodes and running sessions are kept.`;
    default:
      return undefined;
  }
}

/** The number of active sessions. */
export function liveSessions({ nodes }: RunView): number {
  return nodes.filter(
    ({ state }) =>
      state.state === "running" || (state.state === "waiting" && state.for.kind === "person"),
  ).length;
}

/** Settled nodes of all nodes, such as "12/18". Skipped nodes count as settled. */
export function progressCount({ summary }: Pick<RunView, "summary">): string {
  return `${formatNumber(settledCount(summary.progress))}/${formatNumber(summary.progress.length)}`;
}

/**
 * The nodes that failed or were interrupted, in plan order. Excludes failures after which the run
 * continued elsewhere.
 */
export function failedNodes({ nodes }: RunView): NodeId[] {
  return nodes
    .filter(
      ({ state }) =>
        state.state === "interrupted" ||
        (state.state === "failed" && (state.wentOnAt ?? null) === null),
    )
    .map(({ node }) => node);
}

/** What a screen reader announces when a run changes; empty when nothing relevant changed. */
export function runChangeAnnouncement(before: RunView | undefined, after: RunView): string {
  if (before?.summary.id !== after.summary.id) return "";
  const lines: string[] = [];
  const old = new Map(before.nodes.map((node) => [node.node, node.state.state]));
  const titles = new Map(after.plan.nodes.map((node) => [node.id, displayTitle(node.title)]));
  const changed = after.nodes.filter(({ node, state }) => old.get(node) !== state.state);
  if (changed.length <= maxAnnouncedNodes) {
    for (const { node, state } of changed) {
      const why = state.state === "failed" ? `, ${failureText(state.failure)}` : "";
      lines.push(`${titles.get(node) ?? "Node"}: ${spokenState(nodeStateKey(state))}${why}`);
    }
  } else {
    const words = changed.map(({ state }) => nodeStateKey(state));
    const counts = countStates(words);
    for (const word of new Set(words)) lines.push(`${counts[word]} ${spokenState(word)}`);
  }
  if (before.summary.state.state !== after.summary.state.state)
    lines.push(`Run: ${runStateLabel(after.summary.state.state).toLowerCase()}`);
  return lines.join(". ");
}

function spokenState(word: NodeStatus): string {
  return word === "failed_skipped" ? "failed, skipped" : word;
}

const maxAnnouncedNodes = 3;
