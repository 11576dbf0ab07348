import type { Rectangle } from "@/plan/geometry";
import type { Frame } from "./frames";
import { nodeLooks } from "./looks";
import { colorOf } from "./painting";
import type { Paints } from "./paints";
import { boundsOf, rectangleOf, type Scene } from "./scene";
import { grown } from "./sight";

/** The size of the map, in pixels. */
export const mapSize = { width: 192, height: 128 } as const;
/** The least that a node is drawn at, in pixels. */
const leastBlock = 1.5;

/** What the map shows: all of the plan, but no lines and no names. */
export interface MapSubject {
  scene: Scene;
  /** The look of each node, as its number among `nodeLooks`. */
  looks: Uint8Array;
  frames: readonly Frame[];
  /** The numbers of the nodes on the marked critical path. */
  critical: ReadonlySet<number>;
}

/** How the plan lies on the map: pixels for each unit of the plan, and where its place 0,0 is. Pure. */
export function placed(bounds: Rectangle): { scale: number; x: number; y: number } {
  const room = grown(bounds, 0.05);
  const scale = Math.min(mapSize.width / room.width, mapSize.height / room.height);
  return {
    scale,
    x: (mapSize.width - bounds.width * scale) / 2 - bounds.x * scale,
    y: (mapSize.height - bounds.height * scale) / 2 - bounds.y * scale,
  };
}

/** Draws the map anew. */
export function paintMap(canvas: HTMLCanvasElement, subject: MapSubject, paints: Paints): void {
  const brush = canvas.getContext("2d");
  const bounds = boundsOf(subject.scene);
  if (!brush) return;
  const density = window.devicePixelRatio;
  const width = Math.floor(mapSize.width * density);
  const height = Math.floor(mapSize.height * density);
  // A canvas that is given a size is emptied, and its memory made anew.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  brush.setTransform(1, 0, 0, 1, 0, 0);
  brush.clearRect(0, 0, width, height);
  if (!bounds) return;
  const { scale, x, y } = placed(bounds);
  brush.setTransform(density, 0, 0, density, x * density, y * density);
  paintAll(brush, subject, scale, paints);
}

/** Groups below, nodes over them, and the critical path over all. */
export function paintAll(
  brush: CanvasRenderingContext2D,
  { scene, looks, frames, critical }: MapSubject,
  scale: number,
  paints: Paints,
): void {
  const block = ({ x, y, width, height }: Rectangle) =>
    brush.fillRect(
      x * scale,
      y * scale,
      Math.max(leastBlock, width * scale),
      Math.max(leastBlock, height * scale),
    );
  for (const { group, box } of frames) {
    brush.fillStyle = paints.tints[group.colour].ground;
    block(box);
  }
  for (const number of scene.nodes.keys()) {
    const colour = colorOf(scene.nodes[number]);
    const look = nodeLooks[looks[number] ?? 0] ?? "untouched";
    brush.fillStyle = colour ? paints.tints[colour].block : paints[look];
    block(rectangleOf(scene, number));
  }
  brush.fillStyle = paints.critical;
  for (const number of critical) block(rectangleOf(scene, number));
}
