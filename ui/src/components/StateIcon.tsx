import type { ReactElement } from "react";
import { classes } from "./classes";
import { type NodeStateAppearance, nodeStateHue, nodeStateLabel, stateText } from "./nodeState";
import { ShapeIcon, type StateShape } from "./stateShapes";

const sizes = { small: "size-3", medium: "size-4", large: "size-7" } as const;

export interface StateIconProps extends NodeStateAppearance {
  /** 16 px; 12 px in dense rows; 28 px where the graph is zoomed out. */
  size?: keyof typeof sizes;
  /** A label is next to the icon, so screen readers skip the icon. */
  decorative?: boolean;
}

/** The state of a node as a shape in its color. */
export function StateIcon({
  size = "medium",
  decorative = false,
  ...look
}: StateIconProps): ReactElement {
  const label = nodeStateLabel(look);
  return (
    <span
      {...(!decorative && { role: "img", "aria-label": label, title: label })}
      className={classes("inline-flex shrink-0 align-middle", stateText[nodeStateHue(look)])}
    >
      <ShapeIcon shape={shapeOf(look)} stale={look.stale ?? false} className={sizes[size]} />
    </span>
  );
}

function shapeOf({
  state,
  waitingFor,
  unverified,
  notChecked,
  failedAndSkipped,
}: NodeStateAppearance): StateShape {
  switch (state) {
    case "pending":
      return "circle";
    case "blocked":
      return "lock";
    case "running":
      return "ring";
    case "waiting":
      return waitingFor === "time" ? "clock" : "hand";
    case "done":
      return unverified || notChecked ? "checkInDots" : "check";
    case "failed":
      return "cross";
    case "interrupted":
      return "brokenRing";
    case "skipped":
      return failedAndSkipped ? "crossInDots" : "dash";
  }
}
