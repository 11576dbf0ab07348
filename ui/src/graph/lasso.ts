import type { Position } from "@/api/bindings";
import type { Rectangle } from "./geometry";
import { nodesIn, rectangleOf, type Scene } from "./scene";

/** Which nodes a line that is drawn by hand goes around or over. The line closes itself. Pure; draws nothing. */

/** The numbers of the nodes that lie within a closed line, also in part, in plan order: what a box would take, too. */
export function nodesInLasso(scene: Scene, outline: readonly Position[]): number[] {
  const around = boundsOfLine(outline);
  if (!around) return [];
  return nodesIn(scene, around).filter((number) => touches(outline, rectangleOf(scene, number)));
}

/** Whether a place lies within a closed line. Where the line goes around it twice, it lies outside, as it is painted. */
export function isWithin(outline: readonly Position[], { x, y }: Position): boolean {
  let inside = false;
  let from = outline.at(-1);
  for (const to of outline) {
    if (
      from &&
      from.y > y !== to.y > y &&
      x < from.x + ((to.x - from.x) * (y - from.y)) / (to.y - from.y)
    )
      inside = !inside;
    from = to;
  }
  return inside;
}

/** The line with a place more, unless it is too near to the last one to be seen. `least` in canvas units. */
export function drawnOn(
  outline: readonly Position[],
  to: Position,
  least: number,
): readonly Position[] {
  const last = outline.at(-1);
  if (last && Math.hypot(to.x - last.x, to.y - last.y) < least) return outline;
  return [...outline, to];
}

function touches(outline: readonly Position[], box: Rectangle): boolean {
  // Either the line crosses the box, or one of them lies within the other as a whole.
  let from = outline.at(-1);
  for (const to of outline) {
    if (from && crosses(from, to, box)) return true;
    from = to;
  }
  return isWithin(outline, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
}

/** Whether a straight piece passes through a box: it is cut off at each side, and something is left. */
function crosses(from: Position, to: Position, box: Rectangle): boolean {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let [begin, end] = [0, 1];
  const sides = [
    [-dx, from.x - box.x],
    [dx, box.x + box.width - from.x],
    [-dy, from.y - box.y],
    [dy, box.y + box.height - from.y],
  ] as const;
  for (const [slope, room] of sides) {
    if (slope === 0) {
      if (room < 0) return false;
    } else if (slope < 0) begin = Math.max(begin, room / slope);
    else end = Math.min(end, room / slope);
  }
  return begin <= end;
}

function boundsOfLine(outline: readonly Position[]): Rectangle | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of outline) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return left > right ? undefined : { x: left, y: top, width: right - left, height: bottom - top };
}
