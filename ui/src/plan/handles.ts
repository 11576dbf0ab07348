import { type Node as FlowNode, Position as Side } from "@xyflow/react";
import type { Node, Direction as Reading } from "@/api/bindings";
import { cardSize } from "./geometry";
import { inletOn, outletOn, type Touch } from "./touch";
import { isWayKind, type WayKind } from "./ways";

/** Where edges touch a card, so that nothing has to be measured. Pure. */

const handleSize = 12;

/** The outlet of plain edges. Branches leave by outlets called as their kind. */
export const plainOutlet = "out";

type Handles = NonNullable<FlowNode["handles"]>;
type Handle = Handles[number];

/** A handle lies inside of the card, so that its outer side, where edges end, is where they touch the card. */
function handleAt({ side, at }: Touch, facts: Pick<Handle, "type"> & { id?: string }): Handle {
  const half = handleSize / 2;
  const corner = {
    [Side.Left]: { x: at.x, y: at.y - half },
    [Side.Right]: { x: at.x - handleSize, y: at.y - half },
    [Side.Top]: { x: at.x - half, y: at.y },
    [Side.Bottom]: { x: at.x - half, y: at.y - handleSize },
  }[side];
  return { ...facts, position: side, ...corner, width: handleSize, height: handleSize };
}

function outlet(way: WayKind | undefined, reading: Reading): Handle {
  return handleAt(outletOn(cardSize, reading, way), { type: "source", id: outletOf(way) });
}

function plain(reading: Reading): Handles {
  const inlet = handleAt(inletOn(cardSize, reading), { type: "target" });
  return [inlet, outlet(undefined, reading), outlet("failure", reading)];
}

function fork(reading: Reading): Handles {
  return [...plain(reading), outlet("true", reading), outlet("false", reading)];
}

// Made once: a card keeps its object as long as nothing about it changes.
const known: Record<Reading, { plain: Handles; fork: Handles }> = {
  left_right: { plain: plain("left_right"), fork: fork("left_right") },
  top_down: { plain: plain("top_down"), fork: fork("top_down") },
};
const none: Handles = [];

/** The handles of a node: one inlet, an outlet for what follows, one for failures, and two for branches. */
export function handlesOf({ kind }: Node, reading: Reading): Handles {
  if (kind.kind === "note") return none;
  return kind.kind === "condition" ? known[reading].fork : known[reading].plain;
}

/** The outlet by which a branch or jump leaves a card. */
export function outletOf(way: WayKind | undefined): string {
  return way === undefined || way === "success" ? plainOutlet : way;
}

/** The branch or jump that an edge drawn from an outlet becomes; nothing for a plain edge. */
export function wayOfOutlet(outlet: string | null | undefined): WayKind | undefined {
  return isWayKind(outlet) ? outlet : undefined;
}
