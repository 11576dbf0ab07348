import { type Node as FlowNode, Position as Side } from "@xyflow/react";
import type { Node } from "@/api/bindings";
import { isWayKind, type WayKind } from "@/blueprint/ways";
import { cardSize } from "./geometry";

/** Where edges touch a card, so that nothing has to be measured. Pure. */

export const handleSize = 12;

/** The outlet of plain edges. Branches leave by outlets called as their kind. */
export const plainOutlet = "out";

/** How high the outlets of a condition lie on its card, in canvas units from its upper edge. */
export const branchHeights = { true: 20, false: 44 } as const;

type Handles = NonNullable<FlowNode["handles"]>;
type Handle = Handles[number];

function outlet(id: string, y: number): Handle {
  return {
    id,
    type: "source",
    position: Side.Right,
    // Edges end at the outer side of a handle. These lie inside of the card, so that edges touch it.
    x: cardSize.width - handleSize,
    y: y - handleSize / 2,
    width: handleSize,
    height: handleSize,
  };
}

const inlet: Handle = {
  type: "target",
  position: Side.Left,
  x: 0,
  y: cardSize.height / 2 - handleSize / 2,
  width: handleSize,
  height: handleSize,
};

const failureOutlet: Handle = {
  id: "failure",
  type: "source",
  position: Side.Bottom,
  x: cardSize.width / 2 - handleSize / 2,
  y: cardSize.height - handleSize,
  width: handleSize,
  height: handleSize,
};

const plain: Handles = [inlet, outlet(plainOutlet, cardSize.height / 2), failureOutlet];
const fork: Handles = [
  ...plain,
  outlet("true", branchHeights.true),
  outlet("false", branchHeights.false),
];
const none: Handles = [];

/** The handles of a node: one inlet, an outlet for what follows, one for failures, and two for branches. */
export function handlesOf({ kind }: Node): Handles {
  if (kind.kind === "note") return none;
  return kind.kind === "condition" ? fork : plain;
}

/** The outlet by which a branch or jump leaves a card. */
export function outletOf(way: WayKind | undefined): string {
  return way === undefined || way === "success" ? plainOutlet : way;
}

/** The branch or jump that an edge drawn from an outlet becomes; nothing for a plain edge. */
export function wayOfOutlet(outlet: string | null | undefined): WayKind | undefined {
  return isWayKind(outlet) ? outlet : undefined;
}
