import type { Rectangle } from "@/plan/geometry";
import { nodeAppearances } from "./appearances";
import type { CanvasColors } from "./canvasColors";
import type { Frame } from "./frames";
import { colorOf } from "./paintPlan";
import { expandRectangle } from "./renderWindow";
import { boundsOf, rectangleOf, type Scene } from "./scene";

/** The size of the minimap, in pixels. */
export const minimapSize = { width: 192, height: 128 } as const;
/** The minimum size of a painted node, in pixels. */
const minBlockSize = 1.5;

/** What the minimap shows: the whole plan, without lines and titles. */
export interface MinimapInput {
  scene: Scene;
  /** The appearance of each node, as an index into `nodeAppearances`. */
  appearances: Uint8Array;
  frames: readonly Frame[];
  /** The indexes of the nodes on the highlighted critical path. */
  critical: ReadonlySet<number>;
}

/**
 * Fits the plan into the minimap: pixels per plan unit, and the position of the plan's origin.
 * Pure.
 */
export function fitInMinimap(bounds: Rectangle): { scale: number; x: number; y: number } {
  const room = expandRectangle(bounds, 0.05);
  const scale = Math.min(minimapSize.width / room.width, minimapSize.height / room.height);
  return {
    scale,
    x: (minimapSize.width - bounds.width * scale) / 2 - bounds.x * scale,
    y: (minimapSize.height - bounds.height * scale) / 2 - bounds.y * scale,
  };
}

/** Clears and repaints the minimap. */
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
  // Setting the size clears a canvas and reallocates its memory.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width, height);
  if (!bounds) return;
  const { scale, x, y } = fitInMinimap(bounds);
  context.setTransform(density, 0, 0, density, x * density, y * density);
  paintMinimapNodes(context, subject, scale, canvasColors);
}

/** Paints groups first, then nodes, then the critical path. */
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
    context.fillStyle = canvasColors.tints[group.color].ground;
    block(box);
  }
  for (const number of scene.nodes.keys()) {
    const color = colorOf(scene.nodes[number]);
    const appearance = nodeAppearances[appearances[number] ?? 0] ?? "untouched";
    context.fillStyle = color ? canvasColors.tints[color].block : canvasColors[appearance];
    block(rectangleOf(scene, number));
  }
  context.fillStyle = canvasColors.critical;
  for (const number of critical) block(rectangleOf(scene, number));
}
