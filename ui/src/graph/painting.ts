import { titleWords } from "@/blueprint/nodeWords";
import type { Rectangle } from "./geometry";
import { branchHeights } from "./handles";
import { type LineLook, type Looks, lineLooks, type NodeLook, nodeLooks } from "./looks";
import type { Paint } from "./paints";
import { type Line, linesIn, nodesIn, rectangleOf, type Scene } from "./scene";
import { blockZoom, readableZoom } from "./sight";

/** A plan as blocks, titles and lines on a canvas. Draws in portions, so that whoever asks may stop for a frame. */

/** What is drawn. */
export interface Subject {
  scene: Scene;
  looks: Looks;
  /** Nodes with an outline, by their numbers. */
  selected: ReadonlySet<number>;
  /** Nodes that are not drawn, nor the lines at them: they are elements on their way elsewhere. */
  lifted: ReadonlySet<number>;
}

/** A part of the plan, and how large it is drawn: pixels of the screen for each unit of the plan. */
export interface Frame {
  part: Rectangle;
  zoom: number;
  /** Pixels of the canvas for each pixel of the screen. */
  density: number;
}

export type Paints = Record<Paint, string>;

/** Below this zoom lines and outlines are finer, so that blocks are seen between them. */
const crowdedZoom = 0.12;
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
  yield* paintLines(brush, subject, frame, paints);
  yield* paintNodes(brush, subject, frame, paints, nodesIn(subject.scene, frame.part));
}

/** Draws some nodes over what is there. They cover what they covered before. */
export function paintOver(
  brush: CanvasRenderingContext2D,
  subject: Subject,
  frame: Frame,
  paints: Paints,
  numbers: readonly number[],
): void {
  enter(brush, frame);
  const portions = paintNodes(brush, subject, frame, paints, numbers);
  while (!portions.next().done);
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
  { part, zoom }: Frame,
  paints: Paints,
): Generator<undefined, void> {
  const numbers = linesIn(scene, part);
  brush.lineWidth = Math.max(1.5, (zoom < crowdedZoom ? 0.5 : 1) / zoom);
  for (const look of paintedInOrder) {
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
      yield* paintGroup(brush, scene, group, zoom);
    }
  }
  brush.setLineDash([]);
}

/** What matters more is drawn over what matters less. */
const paintedInOrder: readonly LineLook[] = ["passed", "edge", "failure", "path"];

function* paintGroup(
  brush: CanvasRenderingContext2D,
  scene: Scene,
  group: readonly number[],
  zoom: number,
): Generator<undefined, void> {
  for (let at = 0; at < group.length; at += linesAtOnce) {
    brush.beginPath();
    for (const number of group.slice(at, at + linesAtOnce)) {
      const line = scene.lines[number];
      if (line) trace(brush, scene, line, zoom);
    }
    brush.stroke();
    yield;
  }
}

/** Below this length on the screen a curve cannot be told from a straight line. */
const shortCurve = 24;

function trace(brush: CanvasRenderingContext2D, scene: Scene, line: Line, zoom: number): void {
  const [from, to] = [rectangleOf(scene, line.parent), rectangleOf(scene, line.child)];
  const [startX, startY] = startOf(from, line);
  const [endX, endY] = [to.x, to.y + to.height / 2];
  brush.moveTo(startX, startY);
  if (line.way === "failure") {
    const down = bend(endY - startY);
    const back = bend(endX - startX);
    brush.bezierCurveTo(startX, startY + down, endX - back, endY, endX, endY);
    return;
  }
  if (Math.abs(endX - startX) * zoom < shortCurve && endX > startX) {
    brush.lineTo(endX, endY);
    return;
  }
  const out = bend(endX - startX);
  brush.bezierCurveTo(startX + out, startY, endX - out, endY, endX, endY);
}

function startOf(from: Rectangle, { way }: Line): [number, number] {
  if (way === "failure") return [from.x + from.width / 2, from.y + from.height];
  const height = way === "true" || way === "false" ? branchHeights[way] : from.height / 2;
  return [from.x + from.width, from.y + height];
}

/** How far a curve goes straight on before it bends: as the elements do it (`getBezierPath` of React Flow). */
function bend(distance: number): number {
  return distance >= 0 ? distance / 2 : 0.25 * 25 * Math.sqrt(-distance);
}

function* paintNodes(
  brush: CanvasRenderingContext2D,
  { scene, looks, lifted, selected }: Subject,
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
        paintNode(brush, scene, number, look, paints, zoom);
      yield;
    }
  }
  if (selected.size > 0) paintOutlines(brush, scene, selected, paints, zoom);
}

function paintBlock(
  brush: CanvasRenderingContext2D,
  scene: Scene,
  number: number,
  look: NodeLook,
  paints: Paints,
): void {
  const { x, y, width, height } = rectangleOf(scene, number);
  brush.fillStyle = paints[look];
  brush.fillRect(x, y, width, height);
}

/** A card with as much as its element has at this zoom: the hue of its state at the left, and the title. */
function paintCard(
  brush: CanvasRenderingContext2D,
  scene: Scene,
  number: number,
  look: NodeLook,
  paints: Paints,
  zoom: number,
): void {
  const { x, y, width, height } = rectangleOf(scene, number);
  const isNote = look === "note";
  brush.beginPath();
  brush.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, isNote ? 6 : 10);
  brush.fillStyle = paints[isNote ? "note" : "surface"];
  brush.fill();
  brush.lineWidth = 1;
  brush.strokeStyle = paints[isNote ? "paper" : "border"];
  brush.stroke();
  if (!isNote) {
    brush.fillStyle = paints[look];
    brush.fillRect(x + 4, y + 6, zoom < readableZoom ? 8 : 3, height - 12);
  }
  const [size, step] = zoom < readableZoom ? [24, 26] : [13, 16];
  brush.fillStyle = paints.text;
  brush.font = `500 ${size}px "Inter Variable", sans-serif`;
  brush.textBaseline = "middle";
  const rows = rowsOf(brush, titleWords(scene.nodes[number]?.title ?? ""), size, width - 34);
  const top = isNote ? y + step : y + height / 2 - ((rows.length - 1) * step) / 2;
  for (const [at, row] of rows.entries()) brush.fillText(row, x + 20, top + at * step);
}

const knownRows = new Map<string, readonly string[]>();
/** Titles that are forgotten together, once there are so many. */
const mostKnown = 20_000;

/** A title on at most two rows, with an ellipsis where it is cut. */
export function rowsOf(
  brush: Pick<CanvasRenderingContext2D, "measureText">,
  title: string,
  size: number,
  width: number,
): readonly string[] {
  const key = `${size} ${width} ${title}`;
  const known = knownRows.get(key);
  if (known) return known;
  if (knownRows.size >= mostKnown) knownRows.clear();
  const fits = (text: string) => brush.measureText(text).width <= width;
  const [first, rest] = split(title, fits);
  const rows = rest === "" ? [first] : [first, cut(rest, fits)];
  knownRows.set(key, rows);
  return rows;
}

/** As many whole words as fit, and the rest; of a word that is too long, as many letters. */
function split(title: string, fits: (text: string) => boolean): [string, string] {
  if (fits(title)) return [title, ""];
  const words = title.split(" ");
  let [row, count] = ["", 0];
  for (const word of words) {
    const longer = row === "" ? word : `${row} ${word}`;
    if (!fits(longer)) break;
    [row, count] = [longer, count + 1];
  }
  if (count > 0) return [row, words.slice(count).join(" ")];
  const letters = lettersThatFit(title, fits);
  return [title.slice(0, letters), title.slice(letters)];
}

function cut(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  return `${text.slice(
    0,
    lettersThatFit(text, (part) => fits(`${part}…`)),
  )}…`;
}

function lettersThatFit(text: string, fits: (text: string) => boolean): number {
  let [low, high] = [1, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function paintOutlines(
  brush: CanvasRenderingContext2D,
  scene: Scene,
  selected: ReadonlySet<number>,
  paints: Paints,
  zoom: number,
): void {
  const gap = (zoom < crowdedZoom ? 0.5 : 2) / zoom;
  brush.strokeStyle = paints.selected;
  brush.lineWidth = gap;
  for (const number of selected) {
    const { x, y, width, height } = rectangleOf(scene, number);
    brush.strokeRect(x - gap, y - gap, width + 2 * gap, height + 2 * gap);
  }
}
