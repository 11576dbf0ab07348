import type { Color, Node } from "@/api/bindings";
import { edgeCurve, targetAnchor } from "@/plan/edgeAnchors";
import type { Rectangle } from "@/plan/geometry";
import { displayTitle } from "@/plan/nodeText";
import {
  type LineAppearance,
  lineAppearances,
  type NodeAppearance,
  nodeAppearances,
} from "./appearances";
import type { CanvasColors } from "./canvasColors";
import { collapsedGroupOf } from "./collapseGroups";
import { paintFrames, paintNames } from "./paintFrames";
import type { PaintInput, PaintRegion } from "./paintInput";
import { paintMarks } from "./paintMarks";
import { blockZoom, fineLineZoom, readableZoom } from "./renderWindow";
import { type Line, linesIn, nodesIn, rectangleOf, type Scene } from "./scene";
import { wrapTitle } from "./wrapTitle";

/**
 * Paints a plan as blocks, titles and lines on a canvas. A generator, so that the caller can pause
 * between portions.
 */

/** With software rendering, one path with many lines is slower than several paths with a few. */
const linesPerBatch = 250;
const nodesPerBatch = 250;

/** Paints `subject` on a cleared canvas. Each step is a small portion of the work. */
export function* paintPlan(
  context: CanvasRenderingContext2D,
  subject: PaintInput,
  frame: PaintRegion,
  canvasColors: CanvasColors,
): Generator<undefined, void> {
  clearCanvas(context);
  applyTransform(context, frame);
  yield;
  const { scene, onlyLines } = subject;
  if (onlyLines) {
    yield* paintLines(context, subject, frame, canvasColors, onlyLines);
    return;
  }
  yield* paintFrames(context, subject, frame, canvasColors);
  yield* paintLines(context, subject, frame, canvasColors, linesIn(scene, frame.part));
  const numbers = nodesIn(scene, frame.part);
  yield* paintNodes(context, subject, frame, canvasColors, numbers);
  yield* paintMarks(context, subject, frame, canvasColors, numbers);
  yield* paintNames(context, subject, frame, canvasColors);
}

/** Paints nodes over the existing picture. They cover the same area as before. */
export function repaintNodes(
  context: CanvasRenderingContext2D,
  subject: PaintInput,
  frame: PaintRegion,
  canvasColors: CanvasColors,
  numbers: readonly number[],
): void {
  if (subject.onlyLines) return;
  applyTransform(context, frame);
  const nodes = paintNodes(context, subject, frame, canvasColors, numbers);
  while (!nodes.next().done);
  const marks = paintMarks(context, subject, frame, canvasColors, numbers);
  while (!marks.next().done);
}

function clearCanvas(context: CanvasRenderingContext2D): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
}

function applyTransform(
  context: CanvasRenderingContext2D,
  { part, zoom, density }: PaintRegion,
): void {
  const scale = zoom * density;
  context.setTransform(scale, 0, 0, scale, -part.x * scale, -part.y * scale);
}

function* paintLines(
  context: CanvasRenderingContext2D,
  { scene, appearances, skippedNodes }: PaintInput,
  { zoom }: PaintRegion,
  canvasColors: CanvasColors,
  numbers: readonly number[],
): Generator<undefined, void> {
  const width = Math.max(1.5, (zoom < fineLineZoom ? 0.5 : 1) / zoom);
  for (const appearance of linePaintOrder) {
    // Wider as well, so that the critical path doesn't rely on color alone.
    context.lineWidth = appearance === "critical" ? 2 * width : width;
    for (const dashed of [false, true]) {
      const group = numbers.filter((number) => {
        const line = scene.lines[number];
        return (
          line !== undefined &&
          (line.soft || line.inferred === true) === dashed &&
          lineAppearances[appearances.lines[number] ?? 0] === appearance &&
          !skippedNodes.has(line.parent) &&
          !skippedNodes.has(line.child)
        );
      });
      context.setLineDash(dashed && zoom >= blockZoom ? [5, 4] : []);
      context.strokeStyle = canvasColors[appearance];
      context.fillStyle = canvasColors[appearance];
      yield* paintLineBatch(context, scene, group, zoom);
    }
  }
  context.setLineDash([]);
}

/** From least to most important; later ones are painted on top. */
const linePaintOrder: readonly LineAppearance[] = [
  "passed",
  "edge",
  "carried",
  "failure",
  "path",
  "critical",
];

function* paintLineBatch(
  context: CanvasRenderingContext2D,
  scene: Scene,
  group: readonly number[],
  zoom: number,
): Generator<undefined, void> {
  for (let at = 0; at < group.length; at += linesPerBatch) {
    context.beginPath();
    const lines = group
      .slice(at, at + linesPerBatch)
      .flatMap((number) => scene.lines[number] ?? []);
    for (const line of lines) traceLine(context, scene, line, zoom);
    context.stroke();
    if (zoom >= blockZoom) paintArrowheads(context, scene, lines);
    yield;
  }
}

/** Below this length on the screen, in pixels, a curve looks like a straight line. */
const shortCurve = 24;

function traceLine(
  context: CanvasRenderingContext2D,
  scene: Scene,
  line: Line,
  zoom: number,
): void {
  const [from, to] = [rectangleOf(scene, line.parent), rectangleOf(scene, line.child)];
  const [start, first, last, end] = edgeCurve(from, to, scene.reading, line.condition);
  context.moveTo(start.x, start.y);
  const ahead = scene.reading === "top_down" ? end.y - start.y : end.x - start.x;
  if (line.condition !== "failure" && ahead > 0 && ahead * zoom < shortCurve)
    context.lineTo(end.x, end.y);
  else context.bezierCurveTo(first.x, first.y, last.x, last.y, end.x, end.y);
}

/** The same size as the arrowheads of edge elements. */
const arrowheadSize = 8;

function paintArrowheads(
  context: CanvasRenderingContext2D,
  scene: Scene,
  lines: readonly Line[],
): void {
  const down = scene.reading === "top_down";
  context.beginPath();
  for (const { child } of lines) {
    const box = rectangleOf(scene, child);
    const { at } = targetAnchor(box, scene.reading);
    const [x, y] = [box.x + at.x, box.y + at.y];
    context.moveTo(x, y);
    context.lineTo(
      down ? x - arrowheadSize / 2 : x - arrowheadSize,
      down ? y - arrowheadSize : y - arrowheadSize / 2,
    );
    context.lineTo(
      down ? x + arrowheadSize / 2 : x - arrowheadSize,
      down ? y - arrowheadSize : y + arrowheadSize / 2,
    );
  }
  context.fill();
}

function* paintNodes(
  context: CanvasRenderingContext2D,
  { scene, appearances, skippedNodes, textScale }: PaintInput,
  { zoom }: PaintRegion,
  canvasColors: CanvasColors,
  numbers: readonly number[],
): Generator<undefined, void> {
  const groups = new Map<NodeAppearance, number[]>();
  for (const number of numbers) {
    if (skippedNodes.has(number)) continue;
    const appearance = nodeAppearances[appearances.nodes[number] ?? 0] ?? "untouched";
    const group = groups.get(appearance);
    if (group) group.push(number);
    else groups.set(appearance, [number]);
  }
  const paintNode = zoom < blockZoom ? paintBlock : paintCard;
  for (const [appearance, group] of groups) {
    for (let at = 0; at < group.length; at += nodesPerBatch) {
      for (const number of group.slice(at, at + nodesPerBatch))
        paintNode(context, scene, number, appearance, canvasColors, { zoom, textScale });
      yield;
    }
  }
}

/** The zoom, and the text size relative to the default. */
interface Size {
  zoom: number;
  textScale: number;
}

/** The color that a user gave to a note or a collapsed group. */
export function colorOf(node: Node | undefined): Color | undefined {
  if (!node) return undefined;
  const given = node.kind.kind === "note" ? node.kind.color : collapsedGroupOf(node)?.color;
  return given ?? undefined;
}

function paintBlock(
  context: CanvasRenderingContext2D,
  scene: Scene,
  number: number,
  appearance: NodeAppearance,
  canvasColors: CanvasColors,
): void {
  const { x, y, width, height } = rectangleOf(scene, number);
  const color = colorOf(scene.nodes[number]);
  context.fillStyle = color ? canvasColors.tints[color].block : canvasColors[appearance];
  context.fillRect(x, y, width, height);
}

/**
 * A card with the same content as its element at this zoom: the state's color at the left, and the
 * title.
 */
function paintCard(
  context: CanvasRenderingContext2D,
  scene: Scene,
  number: number,
  appearance: NodeAppearance,
  canvasColors: CanvasColors,
  size: Size,
): void {
  const box = rectangleOf(scene, number);
  const { x, y, width, height } = box;
  const node = scene.nodes[number];
  const color = colorOf(node);
  const isNote = appearance === "note";
  const isPlain = !isNote && !color;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, isNote ? 6 : 10);
  context.fillStyle = color
    ? canvasColors.tints[color].paper
    : canvasColors[isNote ? "note" : "surface"];
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = color
    ? canvasColors.tints[color].edge
    : canvasColors[isNote ? "paper" : "border"];
  if (node?.disabled) context.setLineDash(dashes);
  context.stroke();
  if (node?.disabled) context.setLineDash([]);
  if (isPlain) {
    context.fillStyle = canvasColors[appearance];
    context.fillRect(x + 4, y + 6, size.zoom < readableZoom ? 8 : 3, height - 12);
  }
  context.fillStyle = canvasColors.text;
  paintTitle(context, displayTitle(node?.title ?? ""), box, size, {
    isNote,
    struck: node?.disabled,
  });
}

/** The border of a disabled node. */
const dashes = [4, 3];

/** Above this font size, only one row fits into a card. */
const maxTwoRowFontSize = 28;
/** The largest font size, in plan units. Larger text would leave no room for a title. */
const maxFontSize = 40;

function paintTitle(
  context: CanvasRenderingContext2D,
  title: string,
  { x, y, width, height }: Rectangle,
  { zoom, textScale }: Size,
  { isNote, struck }: { isNote: boolean; struck: boolean | undefined },
): void {
  const size = Math.min(maxFontSize, Math.round((zoom < readableZoom ? 24 : 13) * textScale));
  const step = size < 20 ? size + 3 : size + 2;
  context.font = `500 ${size}px "Inter Variable", sans-serif`;
  context.textBaseline = "middle";
  const rows = wrapTitle(context, title, size, width - 34, size > maxTwoRowFontSize ? 1 : 2);
  const top = isNote ? y + step : y + height / 2 - ((rows.length - 1) * step) / 2;
  for (const [at, row] of rows.entries()) {
    context.fillText(row, x + 20, top + at * step);
    if (struck)
      context.fillRect(x + 20, top + at * step, context.measureText(row).width, size / 12);
  }
}
