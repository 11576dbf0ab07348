import type { NodeId, Position } from "@/api/bindings";
import { grid, type Rectangle } from "./geometry";

/**
 * Alignment and distribution of boxes. Pure: each function returns the new positions of the boxes
 * that move.
 */

export const alignments = ["left", "center", "right", "top", "middle", "bottom"] as const;
export type Alignment = (typeof alignments)[number];

const spreads = ["across", "down"] as const;
export type DistributionAxis = (typeof spreads)[number];

type Boxes = ReadonlyMap<NodeId, Rectangle>;
type Places = Map<NodeId, Position>;

/** Aligns the edges or centers of the boxes with their bounding box. */
export function alignBoxes(boxes: Boxes, alignment: Alignment): Places {
  const around = boundingBox(boxes.values());
  if (!around) return new Map();
  const placeOf = ({ x, y, width, height }: Rectangle): Position => {
    switch (alignment) {
      case "left":
        return { x: around.x, y };
      case "center":
        return { x: onGrid(around.x + (around.width - width) / 2), y };
      case "right":
        return { x: around.x + around.width - width, y };
      case "top":
        return { x, y: around.y };
      case "middle":
        return { x, y: onGrid(around.y + (around.height - height) / 2) };
      case "bottom":
        return { x, y: around.y + around.height - height };
    }
  };
  return moved(boxes, placeOf);
}

/** Keeps the outermost boxes in place and makes the gaps between all boxes equal. */
export function distributeBoxes(boxes: Boxes, spread: DistributionAxis): Places {
  const [side, size] = spread === "across" ? (["x", "width"] as const) : (["y", "height"] as const);
  const inOrder = [...boxes].sort(([, one], [, other]) => one[side] - other[side]);
  const around = boundingBox(boxes.values());
  if (!around || inOrder.length < 3) return new Map();
  const filled = inOrder.reduce((sum, [, box]) => sum + box[size], 0);
  const gap = (around[size] - filled) / (inOrder.length - 1);
  const starts = new Map<NodeId, number>();
  let at = around[side];
  for (const [id, box] of inOrder) {
    starts.set(id, onGrid(at));
    at += box[size] + gap;
  }
  return moved(boxes, (box, id) => ({ x: box.x, y: box.y, [side]: starts.get(id) ?? box[side] }));
}

/** The bounding box; undefined when there are no boxes. */
export function boundingBox(boxes: Iterable<Rectangle>): Rectangle | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return left > right ? undefined : { x: left, y: top, width: right - left, height: bottom - top };
}

function onGrid(coordinate: number): number {
  return Math.round(coordinate / grid) * grid;
}

function moved(boxes: Boxes, placeOf: (box: Rectangle, id: NodeId) => Position): Places {
  const places: Places = new Map();
  for (const [id, box] of boxes) {
    const place = placeOf(box, id);
    if (place.x !== box.x || place.y !== box.y) places.set(id, place);
  }
  return places;
}
