import type { Position } from "@/api/bindings";
import { type Rectangle, rectanglesOverlap } from "@/plan/geometry";
import type { CanvasViewport } from "./renderWindow";

interface Size {
  width: number;
  height: number;
}

/** The distance to the selection and to the edge of the canvas, in pixels. */
const gap = 8;

/**
 * Where the toolbar of a selection goes, in canvas pixels: above the selection, or below it if there
 * is no room, and always within the view. Undefined while nothing of the selection is in view.
 */
export function selectionToolbarPlace(
  bounds: Rectangle,
  { x, y, zoom, width, height }: CanvasViewport,
  bar: Size,
): Position | undefined {
  const box = {
    x: bounds.x * zoom + x,
    y: bounds.y * zoom + y,
    width: bounds.width * zoom,
    height: bounds.height * zoom,
  };
  if (!rectanglesOverlap(box, { x: 0, y: 0, width, height })) return undefined;
  const above = box.y - gap - bar.height;
  const below = box.y + box.height + gap;
  return {
    x: within(box.x + (box.width - bar.width) / 2, width - bar.width),
    y: within(
      above < gap && below + bar.height + gap <= height ? below : above,
      height - bar.height,
    ),
  };
}

/** Clamps a coordinate so that the bar stays in the view, at its beginning if it is too long. */
function within(wish: number, room: number): number {
  return Math.round(Math.max(gap, Math.min(wish, room - gap)));
}
