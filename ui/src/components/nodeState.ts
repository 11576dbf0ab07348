/** The states of a node in a run, as everyone sees them: graph, list, table, timeline and notices. */
export const nodeStates = [
  "pending",
  "blocked",
  "running",
  "waiting",
  "done",
  "failed",
  "interrupted",
  "skipped",
] as const;

export type NodeStateName = (typeof nodeStates)[number];

/** A node's state with what the picture of it needs. */
export interface NodeStateAppearance {
  state: NodeStateName;
  /** What a waiting node waits for: a person's word, or a time or place. A person when left out. */
  waitingFor?: "person" | "time";
  /** Done, but the evidence does not agree. */
  unverified?: boolean;
  /** Done, but nobody checked its acceptance criteria. */
  notChecked?: boolean;
  /** What it built on has changed since. */
  stale?: boolean;
  /** Skipped because it failed, and the blueprint says to go on without it. */
  failedAndSkipped?: boolean;
}

const baseLabels: Record<NodeStateName, string> = {
  pending: "Pending",
  blocked: "Blocked",
  running: "Running",
  waiting: "Waiting",
  done: "Done",
  failed: "Failed",
  interrupted: "Interrupted",
  skipped: "Skipped",
};

/** The word for a state: "Waiting for you", "Done, unverified, stale". */
export function nodeStateLabel(look: NodeStateAppearance): string {
  const { state, unverified, notChecked, stale } = look;
  const checked = unverified ? "unverified" : notChecked && "not checked";
  return [baseLabel(look), state === "done" && checked, stale && "stale"]
    .filter(Boolean)
    .join(", ");
}

function baseLabel({ state, waitingFor, failedAndSkipped }: NodeStateAppearance): string {
  if (state === "waiting" && (waitingFor ?? "person") === "person") return "Waiting for you";
  return state === "skipped" && failedAndSkipped ? "Failed, skipped" : baseLabels[state];
}

/** The state whose hue a node has: a failure stays in sight when the run went on without the node. */
export function nodeStateHue({ state, failedAndSkipped }: NodeStateAppearance): NodeStateName {
  return state === "skipped" && failedAndSkipped ? "failed" : state;
}

/** Classes by state, written out because Tailwind reads whole names only. */
export const stateText: Record<NodeStateName, string> = {
  pending: "text-state-pending",
  blocked: "text-state-blocked",
  running: "text-state-running",
  waiting: "text-state-waiting",
  done: "text-state-done",
  failed: "text-state-failed",
  interrupted: "text-state-interrupted",
  skipped: "text-state-skipped",
};

export const stateTint: Record<NodeStateName, string> = {
  pending: "bg-state-pending-tint",
  blocked: "bg-state-blocked-tint",
  running: "bg-state-running-tint",
  waiting: "bg-state-waiting-tint",
  done: "bg-state-done-tint",
  failed: "bg-state-failed-tint",
  interrupted: "bg-state-interrupted-tint",
  skipped: "bg-state-skipped-tint",
};

export const stateFill: Record<NodeStateName, string> = {
  pending: "bg-state-pending",
  blocked: "bg-state-blocked",
  running: "bg-state-running",
  waiting: "bg-state-waiting",
  done: "bg-state-done",
  failed: "bg-state-failed",
  interrupted: "bg-state-interrupted",
  skipped: "bg-state-skipped",
};
