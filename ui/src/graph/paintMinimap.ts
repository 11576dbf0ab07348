import type { Rectangle } from "@/plan/geometry";
import { nodeAppearances } from "./appearances";
import type { CanvasColors } from "./canvasColors";
import type { Frame } from "./frames";
import { colorOf } from "./paintPlan";
import { expandRectangle } from "./renderWindow";
import { boundsOf, rectangleOf, type Scene } from "./scene";

/** The size of the map, in pixels. */
export const minimapSize = { width: 192, height: 128 } as const;
/** The least that a node is drawn at, in pixels. */
const minBlockSize = 1.5;

/** What the map shows: all of the plan, but no lines and no names. */
export interface MinimapInput {
  scene: Scene;
  /** The look of each node, as its number among `nodeAppearances`. */
  appearances: Uint8Array;
  frames: readonly Frame[];
  /** The numbers of the nodes on the marked critical path. */
  critical: ReadonlySet<number>;
}

/** How the plan lies on the map: pixels for each unit of the plan, and where its place 0,0 is. Pure. */
export function fitInMinimap(bounds: Rectangle): { scale: number; x: number; y: number } {
  const room = expandRectangle(bounds, 0.05);
  const scale = Math.min(minimapSize.width / room.width, minimapSize.height / room.height);
  return {
    scale,
    x: (minimapSize.width - bounds.width * scale) / 2 - bounds.x * scale,
    y: (minimapSize.height - bounds.height * scale) / 2 - bounds.y * scale,
  };
}

/** Draws the map anew. */
export function paintMinimap(
  canvas: HTMLCanvasElement,
  subject: MinimapInput,
  canvasColors: CanvasColors,
): void {
  const context = canvas.getContext("2d");
  const bounds = boundsOf(subject.scene);
  if (!context) return;
  const density = window.devicePixelRatio;
  const width = Math.floor(minimapSize.width * density);
  const height = Math.floor(minimapSize.height * density);
  // A canvas that is given a size is emptied, and its memory made anew.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width, height);
  if (!bounds) return;
  const { scale, x, y } = fitInMinimap(bounds);
  context.setTransform(density, 0, 0, density, x * density, y * density);
  paintMinimapNodes(context, subject, scale, canvasColors);
}

/** Groups below, nodes over them, and the critical path over all. */
export function paintMinimapNodes(
  context: CanvasRenderingContext2D,
  { scene, appearances, frames, critical }: MinimapInput,
  scale: number,
  canvasColors: CanvasColors,
): void {
  const block = ({ x, y, width, height }: Rectangle) =>
    context.fillRect(
      x * scale,
      y * scale,
      Math.max(minBlockSize, width * scale),
      Math.max(minBlockSize, height * scale),
    );
  for (const { group, box } of frames) {
    context.fillStyle = canvasColors.tints[group.colour].ground;
    block(box);
  }
  for (const number of scene.nodes.keys()) {
    const colour = colorOf(scene.nodes[number]);
    const look = nodeAppearances[appearances[number] ?? 0] ?? "untouched";
    context.fillStyle = colour ? canvasColors.tints[colour].block : canvasColors[look];
    block(rectangleOf(scene, number));
  }
  context.fillStyle = canvasColors.critical;
  for (const number of critical) block(rectangleOf(scene, number));
}
