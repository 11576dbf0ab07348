import type { ReactElement } from "react";
import { classes } from "./classes";
import { type NodeStateName, stateText, stateTint } from "./nodeState";
import { ShapeIcon, type StateShape } from "./stateShapes";

/** The states of a run, as distinguished in labels. */
export type RunStateName =
  | "running"
  | "paused"
  /** Paused because the requested nodes are done. */
  | "goal_reached"
  /** Taken over by another executor; a person decides whether it continues. */
  | "review"
  | "replanning"
  | "stalled"
  | "completed"
  | "failed"
  | "cancelled";

interface RunStateAppearance {
  label: string;
  shape: StateShape;
  /** The node state with the same color, so that each color has one meaning. */
  hue: NodeStateName;
}

const looks: Record<RunStateName, RunStateAppearance> = {
  running: { label: "Running", shape: "ring", hue: "running" },
  goal_reached: { label: "Node done", shape: "check", hue: "done" },
  paused: { label: "Paused", shape: "pause", hue: "pending" },
  review: { label: "Waiting for review", shape: "exclamation", hue: "waiting" },
  replanning: { label: "Replanning", shape: "exclamation", hue: "waiting" },
  stalled: { label: "Stalled", shape: "exclamation", hue: "waiting" },
  completed: { label: "Completed", shape: "check", hue: "done" },
  failed: { label: "Failed", shape: "cross", hue: "failed" },
  cancelled: { label: "Canceled", shape: "square", hue: "interrupted" },
};

/** Returns the label of a run's state, such as "Canceled". */
export function runStateLabel(state: RunStateName): string {
  return looks[state].label;
}

/** The state of a run as an icon and a label; a pill unless it is used inline. */
export function RunStateLabel({
  state,
  detail,
  pill = true,
}: {
  state: RunStateName;
  /** Replaces the default label of the state. */
  detail?: string | undefined;
  pill?: boolean;
}): ReactElement {
  const { label, shape, hue } = looks[state];
  return (
    <span
      title={detail}
      className={classes(
        "inline-flex max-w-full items-center gap-1 whitespace-nowrap align-middle font-medium text-12",
        stateText[hue],
        pill && "h-5 rounded-full pr-2 pl-1",
        pill && stateTint[hue],
      )}
    >
      <ShapeIcon shape={shape} className={classes("shrink-0", pill ? "size-3" : "size-4")} />
      <span className="truncate">{detail ?? label}</span>
    </span>
  );
}
