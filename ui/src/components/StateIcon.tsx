import type { ReactElement } from "react";
import { classes } from "./classes";
import { type NodeStateAppearance, nodeStateHue, nodeStateLabel, stateText } from "./nodeState";
import { ShapeIcon, type StateShape } from "./stateShapes";

const sizes = { small: "size-3", medium: "size-4", large: "size-7" } as const;

export interface StateIconProps extends NodeStateAppearance {
  /** 16 px, 12 px where a row is tight, 28 px where what is around it is seen from afar. */
  size?: keyof typeof sizes;
  /** The word already stands beside the icon; screen readers then pass over the icon. */
  decorative?: boolean;
}

/** The state of a node as a shape in its hue. */
export function StateIcon({
  size = "medium",
  decorative = false,
  ...look
}: StateIconProps): ReactElement {
  const word = nodeStateLabel(look);
  return (
    <span
      {...(!decorative && { role: "img", "aria-label": word, title: word })}
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
