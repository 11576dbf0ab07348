import type { Node, Position } from "@/api/bindings";
import { grid, type Rectangle, sizeOf, snapToGrid } from "./geometry";

/** The space around pasted nodes, in plan pixels. */
const gap = 28;

/**
 * The offset with which `added` don't cover any of `nodes`: `wish`, or else the next one below it.
 * Nodes without a position are ignored.
 */
export function freeOffset(
  wish: Position,
  added: readonly Node[],
  nodes: readonly Node[],
): Position {
  const boxes = nodes.flatMap((node) => boxOf(node) ?? []);
  const own = boundsOf(added.flatMap((node) => boxOf(node) ?? []));
  const { x, y } = snapToGrid(wish);
  if (!own) return { x, y };
  // From top to bottom, so that one pass is enough for 10,000 nodes.
  const below = boxes
    .filter((box) => box.x < own.x + x + own.width && box.x + box.width > own.x + x)
    .sort((one, other) => one.y - other.y);
  let top = own.y + y;
  for (const box of below) {
    if (box.y >= top + own.height) break;
    if (box.y + box.height > top) top = box.y + box.height + gap;
  }
  return { x, y: Math.ceil((top - own.y) / grid) * grid };
}

function boxOf(node: Node): Rectangle | undefined {
  return node.position ? { ...node.position, ...sizeOf(node) } : undefined;
}

function boundsOf(boxes: readonly Rectangle[]): Rectangle | undefined {
  if (boxes.length === 0) return undefined;
  const least = (of: (box: Rectangle) => number) =>
    boxes.reduce((a, b) => Math.min(a, of(b)), Infinity);
  const [x, y] = [least((box) => box.x), least((box) => box.y)];
  const right = -least((box) => -box.x - box.width);
  const bottom = -least((box) => -box.y - box.height);
  return { x, y, width: right - x, height: bottom - y };
}
