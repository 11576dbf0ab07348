import type { Color, Node } from "@/api/bindings";
import type { Rectangle } from "@/plan/geometry";
import { titleWords } from "@/plan/nodeWords";
import { curveBetween, inletOn } from "@/plan/touch";
import { foldedGroup } from "./fold";
import type { Frame as GroupFrame } from "./frames";
import { type LineLook, type Looks, lineLooks, type NodeLook, nodeLooks } from "./looks";
import { paintFrames, paintNames } from "./paintedFrames";
import { type Marks, paintMarks } from "./paintedMarks";
import type { Paints } from "./paints";
import { type Line, linesIn, nodesIn, rectangleOf, type Scene } from "./scene";
import { blockZoom, crowdedZoom, readableZoom } from "./sight";
import { rowsOf } from "./titleRows";

/** A plan as blocks, titles and lines on a canvas. Draws in portions, so that whoever asks may stop for a frame. */

/** What is drawn. */
export interface Subject {
  scene: Scene;
  looks: Looks;
  marks: Marks;
  /** Nodes that are not drawn, nor the lines at them: they are elements on their way elsewhere. */
  lifted: ReadonlySet<number>;
  /** The groups that are drawn, below everything. */
  frames: readonly GroupFrame[];
  /** The lines that are drawn alone, where all else is made of elements; without them everything is drawn. */
  only: readonly number[] | undefined;
  /** How large text is, as a part of the usual. */
  letters: number;
}

/** A part of the plan, and how large it is drawn: pixels of the screen for each unit of the plan. */
export interface Frame {
  part: Rectangle;
  zoom: number;
  /** Pixels of the canvas for each pixel of the screen. */
  density: number;
}

/** Software draws one path of many lines slower than several of a few. */
const linesAtOnce = 250;
const nodesAtOnce = 250;

/** Draws `subject` on a clean canvas. Each step is a small portion of the work. */
export function* painting(
  brush: CanvasRenderingContext2D,
  subject: Subject,
  frame: Frame,
  paints: Paints,
): Generator<undefined, void> {
  clear(brush);
  enter(brush, frame);
  yield;
  const { scene, only } = subject;
  if (only) {
    yield* paintLines(brush, subject, frame, paints, only);
    return;
  }
  yield* paintFrames(brush, subject, frame, paints);
  yield* paintLines(brush, subject, frame, paints, linesIn(scene, frame.part));
  const numbers = nodesIn(scene, frame.part);
  yield* paintNodes(brush, subject, frame, paints, numbers);
  yield* paintMarks(brush, subject, frame, paints, numbers);
  yield* paintNames(brush, subject, frame, paints);
}

/** Draws some nodes over what is there. They cover what they covered before. */
export function paintOver(
  brush: CanvasRenderingContext2D,
  subject: Subject,
  frame: Frame,
  paints: Paints,
  numbers: readonly number[],
): void {
  if (subject.only) return;
  enter(brush, frame);
  const nodes = paintNodes(brush, subject, frame, paints, numbers);
  while (!nodes.next().done);
  const marks = paintMarks(brush, subject, frame, paints, numbers);
  while (!marks.next().done);
}

function clear(brush: CanvasRenderingContext2D): void {
  brush.setTransform(1, 0, 0, 1, 0, 0);
  brush.clearRect(0, 0, brush.canvas.width, brush.canvas.height);
}

function enter(brush: CanvasRenderingContext2D, { part, zoom, density }: Frame): void {
  const scale = zoom * density;
  brush.setTransform(scale, 0, 0, scale, -part.x * scale, -part.y * scale);
}

function* paintLines(
  brush: CanvasRenderingContext2D,
  { scene, looks, lifted }: Subject,
  { zoom }: Frame,
  paints: Paints,
  numbers: readonly number[],
): Generator<undefined, void> {
  const width = Math.max(1.5, (zoom < crowdedZoom ? 0.5 : 1) / zoom);
  for (const look of paintedInOrder) {
    // The critical path is wide, so that it is told by more than a hue.
    brush.lineWidth = look === "critical" ? 2 * width : width;
    for (const soft of [false, true]) {
      const group = numbers.filter((number) => {
        const line = scene.lines[number];
        return (
          line?.soft === soft &&
          lineLooks[looks.lines[number] ?? 0] === look &&
          !lifted.has(line.parent) &&
          !lifted.has(line.child)
        );
      });
      brush.setLineDash(soft && zoom >= blockZoom ? [5, 4] : []);
      brush.strokeStyle = paints[look];
      brush.fillStyle = paints[look];
      yield* paintGroup(brush, scene, group, zoom);
    }
  }
  brush.setLineDash([]);
}

/** What matters more is drawn over what matters less. */
const paintedInOrder: readonly LineLook[] = ["passed", "edge", "failure", "path", "critical"];

function* paintGroup(
  brush: CanvasRenderingContext2D,
  scene: Scene,
  group: readonly number[],
  zoom: number,
): Generator<undefined, void> {
  for (let at = 0; at < group.length; at += linesAtOnce) {
    brush.beginPath();
    const lines = group.slice(at, at + linesAtOnce).flatMap((number) => scene.lines[number] ?? []);
    for (const line of lines) trace(brush, scene, line, zoom);
    brush.stroke();
    if (zoom >= blockZoom) paintTips(brush, scene, lines);
    yield;
  }
}

/** Below this length on the screen a curve cannot be told from a straight line. */
const shortCurve = 24;

function trace(brush: CanvasRenderingContext2D, scene: Scene, line: Line, zoom: number): void {
  const [from, to] = [rectangleOf(scene, line.parent), rectangleOf(scene, line.child)];
  const [start, first, last, end] = curveBetween(from, to, scene.reading, line.way);
  brush.moveTo(start.x, start.y);
  const ahead = scene.reading === "top_down" ? end.y - start.y : end.x - start.x;
  if (line.way !== "failure" && ahead > 0 && ahead * zoom < shortCurve) brush.lineTo(end.x, end.y);
  else brush.bezierCurveTo(first.x, first.y, last.x, last.y, end.x, end.y);
}

/** The points of arrows, as long and wide as those of the elements. */
const tip = 8;

function paintTips(brush: CanvasRenderingContext2D, scene: Scene, lines: readonly Line[]): void {
  const down = scene.reading === "top_down";
  brush.beginPath();
  for (const { child } of lines) {
    const box = rectangleOf(scene, child);
    const { at } = inletOn(box, scene.reading);
    const [x, y] = [box.x + at.x, box.y + at.y];
    brush.moveTo(x, y);
    brush.lineTo(down ? x - tip / 2 : x - tip, down ? y - tip : y - tip / 2);
    brush.lineTo(down ? x + tip / 2 : x - tip, down ? y - tip : y + tip / 2);
  }
  brush.fill();
}

function* paintNodes(
  brush: CanvasRenderingContext2D,
  { scene, looks, lifted, letters }: Subject,
  { zoom }: Frame,
  paints: Paints,
  numbers: readonly number[],
): Generator<undefined, void> {
  const groups = new Map<NodeLook, number[]>();
  for (const number of numbers) {
    if (lifted.has(number)) continue;
    const look = nodeLooks[looks.nodes[number] ?? 0] ?? "untouched";
    const group = groups.get(look);
    if (group) group.push(number);
    else groups.set(look, [number]);
  }
  const paintNode = zoom < blockZoom ? paintBlock : paintCard;
  for (const [look, group] of groups) {
    for (let at = 0; at < group.length; at += nodesAtOnce) {
      for (const number of group.slice(at, at + nodesAtOnce))
        paintNode(brush, scene, number, look, paints, { zoom, letters });
      yield;
    }
  }
}

/** How large a card is seen, and its letters as a part of the usual. */
interface Size {
  zoom: number;
  letters: number;
}

/** The color that a person gave to a note or to a collapsed group. */
export function colorOf(node: Node | undefined): Color | undefined {
  if (!node) return undefined;
  const given = node.kind.kind === "note" ? node.kind.colour : foldedGroup(node)?.colour;
  return given ?? undefined;
}

function paintBlock(
  brush: CanvasRenderingContext2D,
  scene: Scene,
  number: number,
  look: NodeLook,
  paints: Paints,
): void {
  const { x, y, width, height } = rectangleOf(scene, number);
  const colour = colorOf(scene.nodes[number]);
  brush.fillStyle = colour ? paints.tints[colour].block : paints[look];
  brush.fillRect(x, y, width, height);
}

/** A card with as much as its element has at this zoom: the hue of its state at the left, and the title. */
function paintCard(
  brush: CanvasRenderingContext2D,
  scene: Scene,
  number: number,
  look: NodeLook,
  paints: Paints,
  size: Size,
): void {
  const box = rectangleOf(scene, number);
  const { x, y, width, height } = box;
  const node = scene.nodes[number];
  const colour = colorOf(node);
  const isNote = look === "note";
  const isPlain = !isNote && !colour;
  brush.beginPath();
  brush.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, isNote ? 6 : 10);
  brush.fillStyle = colour ? paints.tints[colour].paper : paints[isNote ? "note" : "surface"];
  brush.fill();
  brush.lineWidth = 1;
  brush.strokeStyle = colour ? paints.tints[colour].edge : paints[isNote ? "paper" : "border"];
  if (node?.disabled) brush.setLineDash(dashes);
  brush.stroke();
  if (node?.disabled) brush.setLineDash([]);
  if (isPlain) {
    brush.fillStyle = paints[look];
    brush.fillRect(x + 4, y + 6, size.zoom < readableZoom ? 8 : 3, height - 12);
  }
  brush.fillStyle = paints.text;
  paintTitle(brush, titleWords(node?.title ?? ""), box, size, { isNote, struck: node?.disabled });
}

/** The border of a node that a run skips. */
const dashes = [4, 3];

/** Two rows of larger letters than these do not fit into a card. */
const mostForTwoRows = 28;
/** Larger letters than these leave nothing of a title, in units of the plan. */
const mostLetters = 40;

function paintTitle(
  brush: CanvasRenderingContext2D,
  title: string,
  { x, y, width, height }: Rectangle,
  { zoom, letters }: Size,
  { isNote, struck }: { isNote: boolean; struck: boolean | undefined },
): void {
  const size = Math.min(mostLetters, Math.round((zoom < readableZoom ? 24 : 13) * letters));
  const step = size < 20 ? size + 3 : size + 2;
  brush.font = `500 ${size}px "Inter Variable", sans-serif`;
  brush.textBaseline = "middle";
  const rows = rowsOf(brush, title, size, width - 34, size > mostForTwoRows ? 1 : 2);
  const top = isNote ? y + step : y + height / 2 - ((rows.length - 1) * step) / 2;
  for (const [at, row] of rows.entries()) {
    brush.fillText(row, x + 20, top + at * step);
    if (struck) brush.fillRect(x + 20, top + at * step, brush.measureText(row).width, size / 12);
  }
}
