import type { ReactElement } from "react";
import { classes } from "./classes";
import { type NodeStateName, stateText, stateTint } from "./nodeState";
import { ShapeIcon, type StateShape } from "./stateShapes";

/** The states of a run. */
export type RunStateName =
  | "running"
  | "paused"
  /** Paused because the nodes that were asked for are done. */
  | "goal_reached"
  /** Taken over by another executor; a person decides whether it goes on. */
  | "review"
  | "replanning"
  | "stalled"
  | "completed"
  | "failed"
  | "cancelled";

interface RunStateAppearance {
  word: string;
  shape: StateShape;
  /** The node state whose hue it borrows, so that one hue means one thing. */
  hue: NodeStateName;
}

const looks: Record<RunStateName, RunStateAppearance> = {
  running: { word: "Running", shape: "ring", hue: "running" },
  goal_reached: { word: "Node done", shape: "check", hue: "done" },
  paused: { word: "Paused", shape: "pause", hue: "pending" },
  review: { word: "Waiting for review", shape: "exclamation", hue: "waiting" },
  replanning: { word: "Replanning", shape: "exclamation", hue: "waiting" },
  stalled: { word: "Stalled", shape: "exclamation", hue: "waiting" },
  completed: { word: "Completed", shape: "check", hue: "done" },
  failed: { word: "Failed", shape: "cross", hue: "failed" },
  cancelled: { word: "Cancelled", shape: "square", hue: "interrupted" },
};

/** The state of a run as shape and word; a pill unless it stands plain in a line. */
export function RunStateLabel({
  state,
  detail,
  pill = true,
}: {
  state: RunStateName;
  /** Said instead of the state's word. */
  detail?: string | undefined;
  pill?: boolean;
}): ReactElement {
  const { word, shape, hue } = looks[state];
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
      <span className="truncate">{detail ?? word}</span>
    </span>
  );
}
