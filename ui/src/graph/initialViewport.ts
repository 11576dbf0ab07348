import { getViewportForBounds } from "@xyflow/react";
import type { Position } from "@/api/bindings";
import { cardSize, type Rectangle } from "@/plan/geometry";
import { boundsOf, placeOf, type Scene } from "./scene";

/** Calculates the zoom at which a plan fits, and where to start if it doesn't fit. Pure. */

/** The padding around a fitted plan, as a fraction of the canvas. */
export const fitPadding = 0.12;
/** The default minimum zoom, unless a plan needs a smaller one to fit. */
const defaultMinZoom = 0.02;
/** Below this zoom, nothing is recognizable: a node is narrower than a pixel. */
export const minVisibleZoom = 0.004;
/** A small canvas, in pixels. What fits here fits anywhere. */
const smallestCanvas = { width: 480, height: 320 };

/** The minimum zoom for a scene, at which the whole plan fits. */
export function minZoomFor(scene: Scene): number {
  const bounds = boundsOf(scene);
  if (!bounds) return defaultMinZoom;
  const { width, height } = smallestCanvas;
  return getViewportForBounds(bounds, width, height, 0, defaultMinZoom, fitPadding).zoom;
}

/**
 * Where the view begins if the plan is too wide for it: its left end, and the height of its middle.
 * `showsWhole` says that all of the plan's height is in view, so that nothing needs to be chosen.
 */
export function openingPlace(
  scene: Scene,
  bounds: Rectangle,
  { showsWhole, active }: { showsWhole: boolean; active?: Position | undefined },
): { left: number; middle: number } {
  const beginning = showsWhole ? undefined : (active ?? startNodePosition(scene));
  const left = active ? active.x - cardSize.width : (beginning?.x ?? bounds.x);
  return {
    left: Math.max(bounds.x, left),
    middle: beginning ? beginning.y + cardSize.height / 2 : bounds.y + bounds.height / 2,
  };
}

/**
 * The position of the first node with outgoing but no incoming edges, or else of the first node.
 */
function startNodePosition(scene: Scene): Position | undefined {
  const isHead = (number: number) => {
    const lines = scene.linesAt[number] ?? [];
    return lines.length > 0 && lines.every((line) => scene.lines[line]?.parent === number);
  };
  const head = scene.nodes.find((_, number) => isHead(number)) ?? scene.nodes[0];
  return head && placeOf(scene, head.id);
}
