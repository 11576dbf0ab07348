import { grid } from "@/plan/geometry";

/** The distance between two dots in the plan. */
const dotDistance = 6 * grid;
/** The smallest distance between two dots on the screen, in pixels. */
const minGap = 16;

interface DotPattern {
  /** The distance between two dots on the screen, in pixels. */
  gap: number;
  /** How far the pattern is moved, from minus one gap to 0. */
  x: number;
  y: number;
}

/**
 * Where the dots of the grid are for a view. When zoomed out, dots are left out, so that they don't
 * come closer; the dot at the plan's origin stays. Pure.
 */
export function dotPattern([x, y, zoom]: readonly [number, number, number]): DotPattern {
  let gap = dotDistance * zoom;
  while (gap < minGap) gap *= 2;
  return { gap, x: remainder(x, gap) - gap, y: remainder(y, gap) - gap };
}

function remainder(value: number, by: number): number {
  return ((value % by) + by) % by;
}
