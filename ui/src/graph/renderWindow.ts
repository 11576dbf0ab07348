import type { Rectangle } from "@/plan/geometry";
import { nodesIn, type Scene } from "./scene";

/** How the canvas stands before the plan: the plan's place 0,0 in pixels of the canvas, and how large it is drawn. */
export interface CanvasViewport {
  x: number;
  y: number;
  zoom: number;
  width: number;
  height: number;
}

/** What of the plan is made of elements. Pure. */
export interface RenderWindow {
  /** What lies in here is an element; everything outside is not. */
  region: Rectangle;
  /** There is too much in view for elements: it is one drawing instead. */
  overview: boolean;
}

/** A plan of so many nodes is always made of elements, all of them. */
export const maxNodesWithoutCulling = 200;
/** Below this zoom a node is a block in the hue of its state. */
export const blockZoom = 0.3;
/** Below this zoom a node is a title or a block, and many are in view. */
export const readableZoom = 0.6;
/** Below this zoom lines and outlines are drawn finer, so that blocks are seen between them. */
export const fineLineZoom = 0.12;
/** So many nodes in view may be elements: where they can be read, and where they can only be seen. */
const maxReadableNodes = 320;
const maxBlockNodes = 150;
/** Elements come back when there are clearly fewer, so that a small move does not swap them to and fro. */
const hysteresis = 0.8;
/** How far beyond the view elements reach, as a part of the view. */
const margin = 0.2;
/** How near the view may come to the end of its elements before there are others. */
const minMargin = 0.05;

/** The part of the plan that is in view. */
export function visibleArea({ x, y, zoom, width, height }: CanvasViewport): Rectangle {
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
}

/**
 * What is to be made of elements in this view. Answers `before` itself as long as that will do. While the view moves
 * (`resting` is false), a drawing stays a drawing: elements take longer to make than a frame lasts.
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

/** Whether elements of `region` are enough for what is seen, and not many times too much. */
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

/** A rectangle with a part of its size more on each side. */
export function expandRectangle({ x, y, width, height }: Rectangle, part: number): Rectangle {
  return {
    x: x - width * part,
    y: y - height * part,
    width: width * (1 + 2 * part),
    height: height * (1 + 2 * part),
  };
}
