import { type Node as FlowNode, Position as Side } from "@xyflow/react";
import type { Node, Direction as Reading } from "@/api/bindings";
import { type EdgeCondition, isEdgeCondition } from "./conditionalEdges";
import { type EdgeAnchor, sourceAnchor, targetAnchor } from "./edgeAnchors";
import { cardSize } from "./geometry";

/** Where edges attach to a card, so that React Flow doesn't have to measure handles. Pure. */

const handleSize = 12;

/** The outlet of plain edges. The ids of the other outlets are their conditions. */
export const defaultSourceHandleId = "out";

type Handles = NonNullable<FlowNode["handles"]>;
type Handle = Handles[number];

/** A handle is inside the card, so its outer side, where edges end, is on the card's border. */
function handleAt({ side, at }: EdgeAnchor, facts: Pick<Handle, "type"> & { id?: string }): Handle {
  const half = handleSize / 2;
  const corner = {
    [Side.Left]: { x: at.x, y: at.y - half },
    [Side.Right]: { x: at.x - handleSize, y: at.y - half },
    [Side.Top]: { x: at.x - half, y: at.y },
    [Side.Bottom]: { x: at.x - half, y: at.y - handleSize },
  }[side];
  return { ...facts, position: side, ...corner, width: handleSize, height: handleSize };
}

function sourceHandle(condition: EdgeCondition | undefined, reading: Reading): Handle {
  return handleAt(sourceAnchor(cardSize, reading, condition), {
    type: "source",
    id: sourceHandleId(condition),
  });
}

function defaultHandles(reading: Reading): Handles {
  const inlet = handleAt(targetAnchor(cardSize, reading), { type: "target" });
  return [inlet, sourceHandle(undefined, reading), sourceHandle("failure", reading)];
}

function conditionHandles(reading: Reading): Handles {
  return [
    ...defaultHandles(reading),
    sourceHandle("true", reading),
    sourceHandle("false", reading),
  ];
}

// Created once, so that cards keep the same object while nothing changes.
const known: Record<Reading, { plain: Handles; fork: Handles }> = {
  left_right: { plain: defaultHandles("left_right"), fork: conditionHandles("left_right") },
  top_down: { plain: defaultHandles("top_down"), fork: conditionHandles("top_down") },
};
const none: Handles = [];

/**
 * The handles of a node: one inlet, one outlet for plain edges, one for failures, and two for
 * branches.
 */
export function handlesOf({ kind }: Node, reading: Reading): Handles {
  if (kind.kind === "note") return none;
  return kind.kind === "condition" ? known[reading].fork : known[reading].plain;
}

/** The outlet that a branch or jump leaves a card from. */
export function sourceHandleId(condition: EdgeCondition | undefined): string {
  return condition === undefined || condition === "success" ? defaultSourceHandleId : condition;
}

/** The kind of branch or jump that an edge from this outlet becomes; undefined for a plain edge. */
export function conditionOfHandle(outlet: string | null | undefined): EdgeCondition | undefined {
  return isEdgeCondition(outlet) ? outlet : undefined;
}
