/**
 * The states of a node in a run, as shown in the graph, list, table, timeline and notifications.
 */
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

/** A node's state with everything that affects its icon and label. */
export interface NodeStateAppearance {
  state: NodeStateName;
  /** A waiting node waits for a person, or for a time or a permit. Defaults to a person. */
  waitingFor?: "person" | "time";
  /** Done, but the evidence contradicts the handoff. */
  unverified?: boolean;
  /** Done, but its acceptance criteria were not checked. */
  notChecked?: boolean;
  /** Its inputs have changed since it finished. */
  stale?: boolean;
  /** Skipped because it failed and the blueprint says to continue without it. */
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

/** Returns the label of a state: "Waiting for you", "Done, unverified, stale". */
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

/**
 * Returns the state whose color a node has: a failure stays visible when the run continued without
 * the node.
 */
export function nodeStateHue({ state, failedAndSkipped }: NodeStateAppearance): NodeStateName {
  return state === "skipped" && failedAndSkipped ? "failed" : state;
}

/** Classes by state. Spelled out because Tailwind only finds complete names. */
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
