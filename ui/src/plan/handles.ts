import { type Node as FlowNode, Position as Side } from "@xyflow/react";
import type { Node, Direction as Reading } from "@/api/bindings";
import { type EdgeCondition, isEdgeCondition } from "./conditionalEdges";
import { type EdgeAnchor, sourceAnchor, targetAnchor } from "./edgeAnchors";
import { cardSize } from "./geometry";

/** Where edges touch a card, so that nothing has to be measured. Pure. */

const handleSize = 12;

/** The outlet of plain edges. Branches leave by outlets called as their kind. */
export const defaultSourceHandleId = "out";

type Handles = NonNullable<FlowNode["handles"]>;
type Handle = Handles[number];

/** A handle lies inside of the card, so that its outer side, where edges end, is where they touch the card. */
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

// Made once: a card keeps its object as long as nothing about it changes.
const known: Record<Reading, { plain: Handles; fork: Handles }> = {
  left_right: { plain: defaultHandles("left_right"), fork: conditionHandles("left_right") },
  top_down: { plain: defaultHandles("top_down"), fork: conditionHandles("top_down") },
};
const none: Handles = [];

/** The handles of a node: one inlet, an outlet for what follows, one for failures, and two for branches. */
export function handlesOf({ kind }: Node, reading: Reading): Handles {
  if (kind.kind === "note") return none;
  return kind.kind === "condition" ? known[reading].fork : known[reading].plain;
}

/** The outlet by which a branch or jump leaves a card. */
export function sourceHandleId(condition: EdgeCondition | undefined): string {
  return condition === undefined || condition === "success" ? defaultSourceHandleId : condition;
}

/** The branch or jump that an edge drawn from an outlet becomes; nothing for a plain edge. */
export function conditionOfHandle(outlet: string | null | undefined): EdgeCondition | undefined {
  return isEdgeCondition(outlet) ? outlet : undefined;
}
