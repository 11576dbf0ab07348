import type { Position } from "@/api/bindings";
import type { Rectangle } from "@/plan/geometry";
import { nodesIn, rectangleOf, type Scene } from "./scene";

/** Finds the nodes inside or under a freehand outline, which is closed automatically. Pure. */

/**
 * The indexes of the nodes that are at least partly inside an outline, in plan order; the same rule
 * as for a box selection.
 */
export function nodesInLasso(scene: Scene, outline: readonly Position[]): number[] {
  const around = boundsOfLine(outline);
  if (!around) return [];
  const bands = bandsOf(outline, around);
  return nodesIn(scene, around).filter((number) => touches(bands, rectangleOf(scene, number)));
}

/**
 * Reports whether a point is inside an outline, given the segments at its height. Uses the even-odd
 * rule, like the painted lasso.
 */
export function isWithin(pieces: readonly Piece[], { x, y }: Position): boolean {
  let inside = false;
  for (const { from, to } of pieces)
    if (from.y > y !== to.y > y && x < from.x + ((to.x - from.x) * (y - from.y)) / (to.y - from.y))
      inside = !inside;
  return inside;
}

/** A straight segment of the outline. */
interface Piece {
  from: Position;
  to: Position;
}

/**
 * The segments of an outline, grouped into horizontal bands. A node is only tested against the
 * segments in its bands.
 */
interface Bands {
  top: number;
  /** The height of each band. The last one also holds everything below. */
  height: number;
  pieces: readonly (readonly Piece[])[];
}

const maxBands = 128;

function bandsOf(outline: readonly Position[], { y: top, height: whole }: Rectangle): Bands {
  const pieces: Piece[][] = Array.from({ length: maxBands }, () => []);
  const bands: Bands = { top, height: whole / maxBands || 1, pieces };
  for (const piece of piecesOf(outline)) {
    const last = bandAt(bands, Math.max(piece.from.y, piece.to.y));
    for (let at = bandAt(bands, Math.min(piece.from.y, piece.to.y)); at <= last; at += 1)
      pieces[at]?.push(piece);
  }
  return bands;
}

function bandAt({ top, height, pieces }: Bands, y: number): number {
  return Math.max(0, Math.min(pieces.length - 1, Math.floor((y - top) / height)));
}

/** The segments of a closed outline. */
export function piecesOf(outline: readonly Position[]): Piece[] {
  return outline.flatMap((to, at) => {
    const from = outline.at(at - 1);
    return from ? [{ from, to }] : [];
  });
}

/** Adds a point to the outline, unless it is closer than `least` canvas units to the last one. */
export function drawnOn(
  outline: readonly Position[],
  to: Position,
  least: number,
): readonly Position[] {
  const last = outline.at(-1);
  if (last && Math.hypot(to.x - last.x, to.y - last.y) < least) return outline;
  return [...outline, to];
}

function touches(bands: Bands, box: Rectangle): boolean {
  // Either the outline crosses the box, or one contains the other.
  const last = bandAt(bands, box.y + box.height);
  for (let at = bandAt(bands, box.y); at <= last; at += 1)
    for (const piece of bands.pieces[at] ?? []) if (crosses(piece, box)) return true;
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  return isWithin(bands.pieces[bandAt(bands, middle.y)] ?? [], middle);
}

/** Reports whether a segment passes through a box, by clipping it at each side. */
function crosses({ from, to }: Piece, box: Rectangle): boolean {
  if (Math.max(from.x, to.x) < box.x || Math.min(from.x, to.x) > box.x + box.width) return false;
  if (Math.max(from.y, to.y) < box.y || Math.min(from.y, to.y) > box.y + box.height) return false;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let [begin, end] = [0, 1];
  const sides = [
    [-dx, from.x - box.x],
    [dx, box.x + box.width - from.x],
    [-dy, from.y - box.y],
    [dy, box.y + box.height - from.y],
  ] as const;
  for (const [slope, room] of sides) {
    if (slope === 0) {
      if (room < 0) return false;
    } else if (slope < 0) begin = Math.max(begin, room / slope);
    else end = Math.min(end, room / slope);
  }
  return begin <= end;
}

function boundsOfLine(outline: readonly Position[]): Rectangle | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of outline) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return left > right ? undefined : { x: left, y: top, width: right - left, height: bottom - top };
}
