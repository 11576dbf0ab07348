import type { Position } from "@/api/bindings";
import type { Rectangle } from "@/plan/geometry";
import { nodesIn, rectangleOf, type Scene } from "./scene";

/** Which nodes a line that is drawn by hand goes around or over. The line closes itself. Pure; draws nothing. */

/** The numbers of the nodes that lie within a closed line, also in part, in plan order: what a box would take, too. */
export function nodesInLasso(scene: Scene, outline: readonly Position[]): number[] {
  const around = boundsOfLine(outline);
  if (!around) return [];
  const bands = bandsOf(outline, around);
  return nodesIn(scene, around).filter((number) => touches(bands, rectangleOf(scene, number)));
}

/** Whether a place lies within a closed line, of which the pieces at its height are enough. Where the line goes around it twice, it lies outside, as it is painted. */
export function isWithin(pieces: readonly Piece[], { x, y }: Position): boolean {
  let inside = false;
  for (const { from, to } of pieces)
    if (from.y > y !== to.y > y && x < from.x + ((to.x - from.x) * (y - from.y)) / (to.y - from.y))
      inside = !inside;
  return inside;
}

/** A straight piece of the line. */
interface Piece {
  from: Position;
  to: Position;
}

/** The pieces of a closed line by the height at which they lie. A node asks those alone that are at its own height. */
interface Bands {
  top: number;
  /** Of each band; the last one has no end. */
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

/** The straight pieces of a line that closes itself. */
export function piecesOf(outline: readonly Position[]): Piece[] {
  return outline.flatMap((to, at) => {
    const from = outline.at(at - 1);
    return from ? [{ from, to }] : [];
  });
}

/** The line with a place more, unless it is too near to the last one to be seen. `least` in canvas units. */
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
  // Either the line crosses the box, or one of them lies within the other as a whole.
  const last = bandAt(bands, box.y + box.height);
  for (let at = bandAt(bands, box.y); at <= last; at += 1)
    for (const piece of bands.pieces[at] ?? []) if (crosses(piece, box)) return true;
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  return isWithin(bands.pieces[bandAt(bands, middle.y)] ?? [], middle);
}

/** Whether a straight piece passes through a box: it is cut off at each side, and something is left. */
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
