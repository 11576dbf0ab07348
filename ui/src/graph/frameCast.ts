import type { NodeId, Position } from "@/api/bindings";
import { overlap, type Rectangle } from "@/plan/geometry";
import { type Frame, moves } from "./frames";
import type { Sight } from "./sight";

/** Which frames of groups are elements, and which are drawn below everything. Pure. */
export interface FrameCast {
  /** Those that can be pressed. */
  frames: readonly Frame[];
  /** Those whose ground and name the drawing shows; elements among them are no more than something to press. */
  drawn: readonly Frame[];
}

/** From afar so many frames can be pressed: the largest ones. */
const mostFar = 60;

/**
 * Nearby frames are elements, those that are in sight. From afar they are drawn, but for those that are being moved:
 * they are on their way elsewhere. Without a sight, as of a small plan, all of them are elements.
 */
export function frameCastOf(
  resting: readonly Frame[],
  now: readonly Frame[],
  moving: ReadonlyMap<NodeId, Position>,
  sight: Sight | undefined,
): FrameCast {
  if (!sight) return { frames: now, drawn: [] };
  if (!sight.far) return { frames: now.filter(({ box }) => overlap(box, sight.region)), drawn: [] };
  const drawn = moving.size === 0 ? resting : resting.filter(({ group }) => !moves(group, moving));
  const largest =
    now.length <= mostFar
      ? now
      : now.toSorted((one, other) => area(other.box) - area(one.box)).slice(0, mostFar);
  return { frames: largest, drawn };
}

function area({ width, height }: Rectangle): number {
  return width * height;
}
