import type { Rectangle } from "@/plan/geometry";
import { nodesIn, type Scene } from "./scene";

/**
 * The view onto the plan: the plan's origin in canvas pixels, the zoom, and the size of the canvas.
 */
export interface CanvasViewport {
  x: number;
  y: number;
  zoom: number;
  width: number;
  height: number;
}

/** Which part of the plan is rendered as HTML elements. Pure. */
export interface RenderWindow {
  /** Nodes inside are elements; everything outside isn't. */
  region: Rectangle;
  /** Whether too much is in view for elements, so that the plan is painted instead. */
  overview: boolean;
}

/** A plan with up to this many nodes is always rendered as elements. */
export const maxNodesWithoutCulling = 200;
/** Below this zoom, a node is a block in the color of its state. */
export const blockZoom = 0.3;
/** Below this zoom, a node is a title or a block, and many nodes are in view. */
export const readableZoom = 0.6;
/** Below this zoom, lines and outlines are thinner, so that blocks stay visible between them. */
export const fineLineZoom = 0.12;
/** The most nodes in view that are rendered as elements: at a readable zoom, and below it. */
const maxReadableNodes = 320;
const maxBlockNodes = 150;
/**
 * The limit for switching back to elements is lower by this factor, so that small moves don't
 * toggle between the two.
 */
const hysteresis = 0.8;
/** How far the region extends beyond the view, as a fraction of its size. */
const margin = 0.2;
/** How close the view may come to the region's border before a new region is computed. */
const minMargin = 0.05;

/** The visible part of the plan. */
export function visibleArea({ x, y, zoom, width, height }: CanvasViewport): Rectangle {
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
}

/**
 * Computes what to render as elements for this view. Returns `before` itself while it is still
 * sufficient. While the view moves (`resting` is false), a painted plan stays painted, because
 * creating elements takes longer than a frame.
 */
export function computeRenderWindow(
  scene: Scene,
  view: CanvasViewport,
  before?: RenderWindow,
  resting = true,
): RenderWindow {
  const seen = visibleArea(view);
  const overview = needsOverview(scene, seen, view.zoom, before?.overview, resting);
  if (overview) return before?.overview ? before : { region: seen, overview: overview };
  if (before && !before.overview && coversArea(before.region, seen)) return before;
  return { region: expandRectangle(seen, margin), overview: overview };
}

function needsOverview(
  scene: Scene,
  seen: Rectangle,
  zoom: number,
  before: boolean | undefined,
  resting: boolean,
): boolean {
  if (scene.nodes.length <= maxNodesWithoutCulling) return false;
  if (before && !resting) return true;
  const most = (zoom < readableZoom ? maxBlockNodes : maxReadableNodes) * (before ? hysteresis : 1);
  return nodesIn(scene, seen, most + 1).length > most;
}

/** Reports whether `region` covers the view without being far too large. */
function coversArea(region: Rectangle, seen: Rectangle): boolean {
  const least = expandRectangle(seen, minMargin);
  return (
    region.x <= least.x &&
    region.y <= least.y &&
    region.x + region.width >= least.x + least.width &&
    region.y + region.height >= least.y + least.height &&
    region.width <= seen.width * 2 * (1 + margin)
  );
}

/** Expands a rectangle on each side by a fraction of its size. */
export function expandRectangle({ x, y, width, height }: Rectangle, part: number): Rectangle {
  return {
    x: x - width * part,
    y: y - height * part,
    width: width * (1 + 2 * part),
    height: height * (1 + 2 * part),
  };
}
