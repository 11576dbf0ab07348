import type { NodeId, Position } from "@/api/bindings";
import { type Rectangle, rectanglesOverlap } from "@/plan/geometry";
import { type Frame, isMoving } from "./frames";
import type { RenderWindow } from "./renderWindow";

/** Which frames of groups are elements, and which are drawn below everything. Pure. */
export interface RenderedFrames {
  /** Those that can be pressed. */
  frames: readonly Frame[];
  /** Those whose ground and name the drawing shows; elements among them are no more than something to press. */
  canvasFrames: readonly Frame[];
}

/** From afar so many frames can be pressed: the largest ones. */
const maxOverviewFrames = 60;

/**
 * Nearby frames are elements, those that are in sight. From afar they are drawn, but for those that are being moved:
 * they are on their way elsewhere. Without a sight, as of a small plan, all of them are elements.
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
