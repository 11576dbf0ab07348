import type { NodeId, Position } from "@/api/bindings";
import { type Rectangle, rectanglesOverlap } from "@/plan/geometry";
import { type Frame, isMoving } from "./frames";
import type { RenderWindow } from "./renderWindow";

/** Which group frames are elements, and which are painted below everything. Pure. */
export interface RenderedFrames {
  /** The frames rendered as elements, which take the pointer. */
  frames: readonly Frame[];
  /**
   * The frames that are painted. Elements of these frames stay invisible and only take the pointer.
   */
  canvasFrames: readonly Frame[];
}

/** The most frames rendered as elements when zoomed out; the largest ones are chosen. */
const maxOverviewFrames = 60;

/**
 * When zoomed in, all frames in view are elements. When zoomed out, frames are painted, except
 * those being moved. Without a render window, as for a small plan, all frames are elements.
 */
export function selectRenderedFrames(
  resting: readonly Frame[],
  now: readonly Frame[],
  moving: ReadonlyMap<NodeId, Position>,
  renderWindow: RenderWindow | undefined,
): RenderedFrames {
  if (!renderWindow) return { frames: now, canvasFrames: [] };
  if (!renderWindow.overview)
    return {
      frames: now.filter(({ box }) => rectanglesOverlap(box, renderWindow.region)),
      canvasFrames: [],
    };
  const canvasFrames =
    moving.size === 0 ? resting : resting.filter(({ group }) => !isMoving(group, moving));
  const largest =
    now.length <= maxOverviewFrames
      ? now
      : now.toSorted((one, other) => area(other.box) - area(one.box)).slice(0, maxOverviewFrames);
  return { frames: largest, canvasFrames };
}

function area({ width, height }: Rectangle): number {
  return width * height;
}
