import type { ReactElement } from "react";
import { classes } from "./classes";
import {
  type NodeStateAppearance,
  nodeStateHue,
  nodeStateLabel,
  stateText,
  stateTint,
} from "./nodeState";
import { StateIcon } from "./StateIcon";

export interface StateLabelProps extends NodeStateAppearance {
  /** Shows a pill with a tinted background in place of inline text. */
  pill?: boolean;
}

/** The state of a node as an icon and a label. */
export function StateLabel({ pill = false, ...look }: StateLabelProps): ReactElement {
  return (
    <span
      className={classes(
        "inline-flex items-center gap-1 whitespace-nowrap align-middle font-medium text-12",
        stateText[nodeStateHue(look)],
        pill && "h-5 rounded-full pr-2 pl-1",
        pill && stateTint[nodeStateHue(look)],
      )}
    >
      <StateIcon {...look} size={pill ? "small" : "medium"} decorative />
      {nodeStateLabel(look)}
    </span>
  );
}
