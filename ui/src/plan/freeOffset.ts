import type { Node, Position } from "@/api/bindings";
import { boundingBox } from "./align";
import { type Axis, acrossAxis, downAxis } from "./axis";
import { grid, type Rectangle, sizeOf, snapToGrid } from "./geometry";

/** The space around pasted nodes, in plan pixels. */
const gap = 28;

/**
 * The offset with which `added` don't cover any of `nodes`: `wish`, or else the nearest one straight
 * below, right, above or left of it. Nodes without a position are ignored. Pure.
 */
export function freeOffset(
  wish: Position,
  added: readonly Node[],
  nodes: readonly Node[],
): Position {
  const { x, y } = snapToGrid(wish);
  const bounds = boundsOf(added);
  if (!bounds) return { x, y };
  const own = { ...bounds, x: bounds.x + x, y: bounds.y + y };
  const boxes = nodes.flatMap((node) => boxOf(node) ?? []);
  const ways = [
    { x: 0, y: stepsAhead(own, boxes, downAxis) },
    { x: stepsAhead(own, boxes, acrossAxis), y: 0 },
    { x: 0, y: -stepsAhead(mirrored(own), boxes.map(mirrored), downAxis) },
    { x: -stepsAhead(mirrored(own), boxes.map(mirrored), acrossAxis), y: 0 },
  ];
  const distance = (way: Position) => Math.abs(way.x) + Math.abs(way.y);
  const nearest = ways.reduce((best, way) => (distance(way) < distance(best) ? way : best));
  return { x: x + nearest.x, y: y + nearest.y };
}

/** The offset that puts the middle of the nodes at a point. */
export function centeringOffset(middle: Position, added: readonly Node[]): Position {
  const bounds = boundsOf(added);
  return bounds
    ? {
        x: middle.x - bounds.x - bounds.width / 2,
        y: middle.y - bounds.y - bounds.height / 2,
      }
    : { x: 0, y: 0 };
}

/** How far a box moves along the axis until it covers nothing. */
function stepsAhead(own: Rectangle, boxes: readonly Rectangle[], axis: Axis): number {
  const { at, size, crossAt, crossSize } = axis;
  // In order along the axis, so that one pass is enough for 10,000 nodes.
  const inWay = boxes
    .filter(
      (box) =>
        box[crossAt] < own[crossAt] + own[crossSize] &&
        box[crossAt] + box[crossSize] > own[crossAt],
    )
    .sort((one, other) => one[at] - other[at]);
  let start = own[at];
  for (const box of inWay) {
    if (box[at] >= start + own[size]) break;
    if (box[at] + box[size] > start) start = box[at] + box[size] + gap;
  }
  return Math.ceil((start - own[at]) / grid) * grid;
}

/** The rectangle with both axes reversed, so that ahead is above and left. */
function mirrored({ x, y, width, height }: Rectangle): Rectangle {
  return { x: -x - width, y: -y - height, width, height };
}

function boxOf(node: Node): Rectangle | undefined {
  return node.position ? { ...node.position, ...sizeOf(node) } : undefined;
}

function boundsOf(nodes: readonly Node[]): Rectangle | undefined {
  return boundingBox(nodes.flatMap((node) => boxOf(node) ?? []));
}
