import type { Position } from "@/api/bindings";
import type { Rectangle } from "@/plan/geometry";

/** A guide that shows what a dragged box is aligned with, from `from` to `to` along the line. */
export interface HelperLine {
  /** `x`: a vertical line at this x. `y`: a horizontal line at this y. */
  axis: "x" | "y";
  at: number;
  from: number;
  to: number;
}

export interface Snap {
  /** How far the box moves to snap into alignment. */
  by: Position;
  lines: HelperLine[];
}

/** The most neighbors to compare with. */
const maxNeighbors = 400;

/**
 * Aligns a dragged box with its neighbors if an edge or the center is within `reach` of the same
 * one of a neighbor. Handles each axis separately; the nearest match wins. Pure.
 */
export function snapTo(box: Rectangle, neighbors: readonly Rectangle[], reach: number): Snap {
  const near = neighbors.slice(0, maxNeighbors);
  const [x, y] = [nearestOn("x", box, near, reach), nearestOn("y", box, near, reach)];
  const by = { x: x ?? 0, y: y ?? 0 };
  const moved = { ...box, x: box.x + by.x, y: box.y + by.y };
  return {
    by,
    lines: [
      ...(x === undefined ? [] : linesOn("x", moved, near)),
      ...(y === undefined ? [] : linesOn("y", moved, near)),
    ],
  };
}

type Axis = HelperLine["axis"];

/** The start, center and end of a box along an axis. */
function stops(axis: Axis, { x, y, width, height }: Rectangle): [number, number, number] {
  const [start, size] = axis === "x" ? [x, width] : [y, height];
  return [start, start + size / 2, start + size];
}

function nearestOn(
  axis: Axis,
  box: Rectangle,
  neighbors: readonly Rectangle[],
  reach: number,
): number | undefined {
  let best: number | undefined;
  const mine = stops(axis, box);
  for (const neighbor of neighbors) {
    const theirs = stops(axis, neighbor);
    for (let at = 0; at < 3; at += 1) {
      // Match start with start, center with center, and end with end; other matches are
      // coincidental.
      const offset = (theirs[at] ?? 0) - (mine[at] ?? 0);
      if (Math.abs(offset) > reach || (best !== undefined && Math.abs(best) <= Math.abs(offset)))
        continue;
      best = offset;
    }
  }
  return best;
}

const exact = 0.01;

function linesOn(axis: Axis, box: Rectangle, neighbors: readonly Rectangle[]): HelperLine[] {
  const across: Axis = axis === "x" ? "y" : "x";
  const lines = new Map<number, HelperLine>();
  for (const [at, stop] of stops(axis, box).entries()) {
    const lined = neighbors.filter(
      (neighbor) => Math.abs((stops(axis, neighbor)[at] ?? 0) - stop) < exact,
    );
    if (lined.length === 0) continue;
    const ends = [box, ...lined].flatMap((each) => {
      const [from, , to] = stops(across, each);
      return [from, to];
    });
    lines.set(stop, { axis, at: stop, from: Math.min(...ends), to: Math.max(...ends) });
  }
  return [...lines.values()];
}
