import type { NodeId, NodeStatus, RunState, RunSummary, RunView } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { countStates, nodeStateKey, settledCount } from "@/components/progress";
import { isPausedAtGoal } from "@/components/runStatus";
import { formatApproximateDuration } from "@/components/time";
import { displayTitle, failureText } from "./nodeText";

/** What the run bar offers. */
export type RunPhase =
  /** No run, or one that is over, did what was asked of it, or waits for a new version of its plan. */
  | "idle"
  | "running"
  | "pausing"
  | "stopping"
  /** A node failed whose policy ends the run; what runs may finish. */
  | "aborting"
  | "paused"
  | "stalled"
  /** It says that it runs, but nobody works on it. */
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
      // It did what was asked of it: the next run continues it.
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

/** How many done nodes are less than that: "2 unverified, 1 not checked"; nothing when none is. */
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

/** What is to be said of an executor elsewhere that is silent; nothing while it is healthy. */
export function executorSilenceText({ state, attendance }: RunSummary): string | undefined {
  if (state.state !== "running" || attendance.where !== "elsewhere") return undefined;
  const { health, pid, silenceMs } = attendance;
  const silence = `Process ${pid}, which executes this run, has been silent for ${formatApproximateDuration(silenceMs)}.`;
  switch (health) {
    case "unhealthy":
      return `${silence} Baton is monitoring the run.`;
    case "stale":
      return `${silence} You can take over the run. Finished nodes and running sessions are kept.`;
    default:
      return undefined;
  }
}

/** How many sessions live at this moment. */
export function liveSessions({ nodes }: RunView): number {
  return nodes.filter(
    ({ state }) =>
      state.state === "running" || (state.state === "waiting" && state.for.kind === "person"),
  ).length;
}

/** "12/18": finished nodes of all. Skipped ones count as finished. */
export function progressCount({ summary }: Pick<RunView, "summary">): string {
  return `${formatNumber(settledCount(summary.progress))}/${formatNumber(summary.progress.length)}`;
}

/** The nodes that failed or were interrupted, in plan order. A failure after which the run went on is dealt with. */
export function failedNodes({ nodes }: RunView): NodeId[] {
  return nodes
    .filter(
      ({ state }) =>
        state.state === "interrupted" ||
        (state.state === "failed" && (state.wentOnAt ?? null) === null),
    )
    .map(({ node }) => node);
}

/** What a screen reader is told of the step from one state of a run to the next; nothing when nothing changed. */
export function runChangeAnnouncement(before: RunView | undefined, after: RunView): string {
  if (before?.summary.id !== after.summary.id) return "";
  const told: string[] = [];
  const old = new Map(before.nodes.map((node) => [node.node, node.state.state]));
  const titles = new Map(after.plan.nodes.map((node) => [node.id, displayTitle(node.title)]));
  const changed = after.nodes.filter(({ node, state }) => old.get(node) !== state.state);
  if (changed.length <= maxAnnouncedNodes) {
    for (const { node, state } of changed) {
      const why = state.state === "failed" ? `, ${failureText(state.failure)}` : "";
      told.push(`${titles.get(node) ?? "Node"}: ${spokenState(nodeStateKey(state))}${why}`);
    }
  } else {
    const words = changed.map(({ state }) => nodeStateKey(state));
    const counts = countStates(words);
    for (const word of new Set(words)) told.push(`${counts[word]} ${spokenState(word)}`);
  }
  if (before.summary.state.state !== after.summary.state.state)
    told.push(`Run ${after.summary.state.state}`);
  return told.join(". ");
}

function spokenState(word: NodeStatus): string {
  return word === "failed_skipped" ? "failed, skipped" : word;
}

const maxAnnouncedNodes = 3;
