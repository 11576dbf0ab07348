import { Position as Side } from "@xyflow/react";
import type { Position, Direction as Reading } from "@/api/bindings";
import type { EdgeCondition } from "./conditionalEdges";
import type { Rectangle } from "./geometry";

/**
 * Where edges attach to a card in each reading direction, and how they curve. The exported picture
 * uses the same geometry. Pure.
 */

/** A side of a card, and the point on it in canvas units from the card's upper left corner. */
export interface EdgeAnchor {
  side: Side;
  at: Position;
}

type Size = Pick<Rectangle, "width" | "height">;

/** The vertical offsets of a condition's outlets when the plan reads from left to right. */
const branchHeights = { true: 20, false: 44 } as const;

/** Where incoming edges end. */
export function targetAnchor({ width, height }: Size, reading: Reading): EdgeAnchor {
  return reading === "top_down"
    ? { side: Side.Top, at: { x: width / 2, y: 0 } }
    : { side: Side.Left, at: { x: 0, y: height / 2 } };
}

/**
 * Where outgoing edges begin. Failure edges use a side of their own; the branches of a condition
 * are spread out.
 */
export function sourceAnchor(
  { width, height }: Size,
  reading: Reading,
  condition: EdgeCondition | undefined,
): EdgeAnchor {
  if (reading === "top_down") {
    if (condition === "failure") return { side: Side.Right, at: { x: width, y: height / 2 } };
    const share = condition === "true" ? 1 / 3 : condition === "false" ? 2 / 3 : 1 / 2;
    return { side: Side.Bottom, at: { x: width * share, y: height } };
  }
  if (condition === "failure") return { side: Side.Bottom, at: { x: width / 2, y: height } };
  const y = condition === "true" || condition === "false" ? branchHeights[condition] : height / 2;
  return { side: Side.Right, at: { x: width, y } };
}

/** Start, two control points and end. */
export type BezierCurve = readonly [Position, Position, Position, Position];

/** The curve between two cards, the same as React Flow's `getBezierPath`. */
export function edgeCurve(
  from: Rectangle,
  to: Rectangle,
  reading: Reading,
  condition: EdgeCondition | undefined,
): BezierCurve {
  const [out, into] = [sourceAnchor(from, reading, condition), targetAnchor(to, reading)];
  const start = { x: from.x + out.at.x, y: from.y + out.at.y };
  const end = { x: to.x + into.at.x, y: to.y + into.at.y };
  const across = controlPointOffset(end.x - start.x);
  const down = controlPointOffset(end.y - start.y);
  const first =
    out.side === Side.Bottom
      ? { x: start.x, y: start.y + down }
      : { x: start.x + across, y: start.y };
  const last =
    into.side === Side.Top ? { x: end.x, y: end.y - down } : { x: end.x - across, y: end.y };
  return [start, first, last, end];
}

/** The distance of the control point from the end of the curve. */
function controlPointOffset(distance: number): number {
  return distance >= 0 ? distance / 2 : 0.25 * 25 * Math.sqrt(-distance);
}
