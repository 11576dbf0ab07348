import { getViewportForBounds } from "@xyflow/react";
import type { Position } from "@/api/bindings";
import { boundsOf, placeOf, type Scene } from "./scene";

/** How far away a plan has to be to be seen whole, and where it begins if that is too far. Pure. */

/** What stays free around a plan that is seen whole, as a part of the canvas. */
export const fitPadding = 0.12;
/** The farthest that the canvas goes, unless a plan needs more to be seen whole. */
const defaultMinZoom = 0.02;
/** From farther away nothing of a plan can be told: a node is not a pixel wide. */
export const minVisibleZoom = 0.004;
/** A small canvas, in pixels: what fits there fits anywhere. */
const smallestCanvas = { width: 480, height: 320 };

/** The farthest that the canvas goes for a scene: the whole of it can be seen, however far its nodes reach. */
export function minZoomFor(scene: Scene): number {
  const bounds = boundsOf(scene);
  if (!bounds) return defaultMinZoom;
  const { width, height } = smallestCanvas;
  return getViewportForBounds(bounds, width, height, 0, defaultMinZoom, fitPadding).zoom;
}

/** Where the first node stands that nothing leads to and that leads somewhere; else the first of all. */
export function startNodePosition(scene: Scene): Position | undefined {
  const isHead = (number: number) => {
    const lines = scene.linesAt[number] ?? [];
    return lines.length > 0 && lines.every((line) => scene.lines[line]?.parent === number);
  };
  const head = scene.nodes.find((_, number) => isHead(number)) ?? scene.nodes[0];
  return head && placeOf(scene, head.id);
}
