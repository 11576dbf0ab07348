import type { Position } from "@/api/bindings";
import { type BezierCurve, edgeCurve } from "@/plan/edgeAnchors";
import { type Line, linesIn, rectangleOf, type Scene } from "./scene";

/** The maximum distance between the pointer and a line, in canvas units. */
const defaultHitRadius = 24;
const samples = 24;

/** The line nearest to a point, within `reach`. Pure. */
export function lineAt(
  scene: Scene,
  place: Position,
  isMeant: (line: Line) => boolean = () => true,
  reach = defaultHitRadius,
): Line | undefined {
  const around = { x: place.x - reach, y: place.y - reach, width: 2 * reach, height: 2 * reach };
  let best: { line: Line; distance: number } | undefined;
  for (const number of linesIn(scene, around)) {
    const line = scene.lines[number];
    if (!line || !isMeant(line)) continue;
    const distance = distanceTo(curveOf(scene, line), place);
    if (distance <= reach && (!best || distance < best.distance)) best = { line, distance };
  }
  return best?.line;
}

function curveOf(scene: Scene, { parent, child, condition }: Line): BezierCurve {
  const [from, to] = [rectangleOf(scene, parent), rectangleOf(scene, child)];
  return edgeCurve(from, to, scene.reading, condition);
}

function distanceTo(curve: BezierCurve, place: Position): number {
  let least = Infinity;
  let before = pointOn(curve, 0);
  for (let step = 1; step <= samples; step += 1) {
    const point = pointOn(curve, step / samples);
    least = Math.min(least, distanceToPiece(before, point, place));
    before = point;
  }
  return least;
}

function pointOn([a, b, c, d]: BezierCurve, t: number): Position {
  const [p, q, r, s] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3];
  return {
    x: p * a.x + q * b.x + r * c.x + s * d.x,
    y: p * a.y + q * b.y + r * c.y + s * d.y,
  };
}

function distanceToPiece(a: Position, b: Position, { x, y }: Position): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const along =
    length === 0 ? 0 : Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / length));
  return Math.hypot(x - a.x - along * dx, y - a.y - along * dy);
}
