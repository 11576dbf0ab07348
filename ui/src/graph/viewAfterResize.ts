import type { Viewport } from "@xyflow/react";

/** The canvas in the window. */
export type CanvasBox = Pick<DOMRect, "top" | "left" | "right" | "bottom">;

/**
 * Whether only the upper edge of the canvas moved: a banner appeared above it, or went away.
 */
export function isBannerChange(before: CanvasBox, now: CanvasBox): boolean {
  return (
    now.top !== before.top &&
    now.bottom === before.bottom &&
    now.left === before.left &&
    now.right === before.right
  );
}

/** The view in which every node stays at its place in the window. */
export function viewAfterBanner(view: Viewport, before: CanvasBox, now: CanvasBox): Viewport {
  return { ...view, y: view.y + before.top - now.top };
}
