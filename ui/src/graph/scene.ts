import type { Node, NodeId, Plan, Position, Direction as Reading } from "@/api/bindings";
import {
  conditionalEdgeKey,
  conditionalEdgesIn,
  drawnPlainEdges,
  type EdgeCondition,
} from "@/plan/conditionalEdges";
import { edgeKey } from "@/plan/edgeKey";
import { cardSize, defaultDirection, type Rectangle, sizeOf } from "@/plan/geometry";

/**
 * The geometry of a plan, for spatial queries: what is in view, what is under the pointer, what a
 * line crosses. Nodes and lines are identified by index. Independent of selection, run and
 * rendering. Pure.
 */
export interface Scene {
  nodes: readonly Node[];
  /** The index of each node by its id. */
  indexById: ReadonlyMap<NodeId, number>;
  /** The left, top, width and height of each node, in sequence. */
  boxes: Float64Array;
  lines: readonly Line[];
  /** The left, top, right and bottom of the area that each line may touch. */
  lineBounds: Float64Array;
  /** The reading direction, which decides where lines attach to nodes. */
  reading: Reading;
  /** The indexes of the lines at each node. */
  linesAt: readonly (readonly number[])[];
}

/** A plain edge, a branch or a jump. */
export interface Line {
  /** The key on the canvas, see `edgeKey` and `conditionalEdgeKey`. */
  key: string;
  /** The indexes of the nodes at its ends. */
  parent: number;
  child: number;
  soft: boolean;
  /** Nobody has confirmed it. */
  inferred?: boolean;
  /** The field of the parent that it is stored in; undefined for a plain edge. */
  condition: EdgeCondition | undefined;
}

type Places = ReadonlyMap<NodeId, Position>;

const none: readonly number[] = [];
const columns = 5;

/** Creates the scene of a plan. Nodes without a position use `fallback`, or else a grid. */
export function createScene(
  plan: Pick<Plan, "nodes" | "edges" | "direction">,
  fallback: Places,
): Scene {
  const reading = plan.direction ?? defaultDirection;
  const at = new Map(plan.nodes.map((node, number) => [node.id, number]));
  const boxes = new Float64Array(4 * plan.nodes.length);
  for (const [number, node] of plan.nodes.entries()) {
    const { x, y } = node.position ?? fallback.get(node.id) ?? placeInGrid(number);
    const { width, height } = sizeOf(node);
    writeBox(boxes, number, x, y, width, height);
  }
  const lines = linesOf(plan, at);
  const linesAt: number[][] = plan.nodes.map(() => []);
  for (const [number, { parent, child }] of lines.entries()) {
    linesAt[parent]?.push(number);
    if (child !== parent) linesAt[child]?.push(number);
  }
  const lineBounds = new Float64Array(4 * lines.length);
  for (const [number, line] of lines.entries())
    writeLineBounds(lineBounds, number, line, boxes, reading);
  return { nodes: plan.nodes, indexById: at, boxes, lines, lineBounds, reading, linesAt };
}

/** The scene with some nodes at other positions, while they are dragged or animated. */
export function moveInScene(scene: Scene, moving: Places): Scene {
  if (moving.size === 0) return scene;
  const boxes = scene.boxes.slice();
  const lineBounds = scene.lineBounds.slice();
  const numbers = [...moving.keys()].flatMap((id) => scene.indexById.get(id) ?? none);
  for (const number of numbers) {
    const place = moving.get(scene.nodes[number]?.id ?? "");
    if (!place) continue;
    const { width, height } = boxOf(boxes, number);
    writeBox(boxes, number, place.x, place.y, width, height);
  }
  for (const number of numbers)
    for (const line of scene.linesAt[number] ?? none)
      writeLineBounds(lineBounds, line, scene.lines[line], boxes, scene.reading);
  return { ...scene, boxes, lineBounds };
}

function linesOf(plan: Pick<Plan, "nodes" | "edges">, at: ReadonlyMap<NodeId, number>): Line[] {
  const lines: Line[] = [];
  const add = (key: string, from: NodeId, to: NodeId, soft: boolean, condition?: EdgeCondition) => {
    const [parent, child] = [at.get(from), at.get(to)];
    if (parent === undefined || child === undefined) return undefined;
    const line: Line = { key, parent, child, soft, condition };
    lines.push(line);
    return line;
  };
  for (const edge of drawnPlainEdges(plan)) {
    const line = add(edgeKey(edge), edge.parent, edge.child, edge.soft);
    if (line && edge.inferred) line.inferred = true;
  }
  for (const condition of conditionalEdgesIn(plan))
    add(conditionalEdgeKey(condition), condition.parent, condition.child, false, condition.kind);
  return lines;
}

function placeInGrid(number: number): Position {
  return {
    x: (number % columns) * (cardSize.width + 64),
    y: Math.floor(number / columns) * (cardSize.height + 40),
  };
}

/** How far a backward curve may extend beyond the rectangle around its ends. */
const backEdgeMargin = 120;

function writeLineBounds(
  lineBounds: Float64Array,
  number: number,
  line: Line | undefined,
  boxes: Float64Array,
  reading: Reading,
) {
  if (!line) return;
  const [from, to] = [boxOf(boxes, line.parent), boxOf(boxes, line.child)];
  const ahead = reading === "top_down" ? to.y > from.y + from.height : to.x > from.x + from.width;
  const extra = ahead ? 0 : backEdgeMargin;
  writeBox(
    lineBounds,
    number,
    Math.min(from.x, to.x) - extra,
    Math.min(from.y, to.y) - extra,
    Math.max(from.x + from.width, to.x + to.width) + extra,
    Math.max(from.y + from.height, to.y + to.height) + extra,
  );
}

// Assigned one by one: for 10,000 nodes, `set` with a list and `subarray` take a second in
// WebKitGTK.
function writeBox(all: Float64Array, number: number, a: number, b: number, c: number, d: number) {
  const at = 4 * number;
  all[at] = a;
  all[at + 1] = b;
  all[at + 2] = c;
  all[at + 3] = d;
}

function boxOf(boxes: Float64Array, number: number): Rectangle {
  const at = 4 * number;
  return {
    x: boxes[at] ?? 0,
    y: boxes[at + 1] ?? 0,
    width: boxes[at + 2] ?? 0,
    height: boxes[at + 3] ?? 0,
  };
}

/** The rectangle of a node. */
export function rectangleOf(scene: Scene, number: number): Rectangle {
  return boxOf(scene.boxes, number);
}

/** The position of a node; undefined if it is not in the plan. */
export function placeOf(scene: Scene, id: NodeId): Position | undefined {
  const number = scene.indexById.get(id);
  if (number === undefined) return undefined;
  const { x, y } = rectangleOf(scene, number);
  return { x, y };
}

/**
 * The indexes of the nodes that are at least partly inside a rectangle, in plan order; at most
 * `most`.
 */
export function nodesIn({ boxes }: Scene, within: Rectangle, most = Infinity): number[] {
  const [right, bottom] = [within.x + within.width, within.y + within.height];
  const found: number[] = [];
  // A linear scan: it takes 0.1 ms for 50,000 nodes, and an index would have to be kept up to date.
  for (let at = 0; at < boxes.length; at += 4) {
    const [x, y] = [boxes[at] as number, boxes[at + 1] as number];
    if (x > right || y > bottom) continue;
    if (x + (boxes[at + 2] as number) < within.x || y + (boxes[at + 3] as number) < within.y)
      continue;
    found.push(at / 4);
    if (found.length >= most) break;
  }
  return found;
}

/** The indexes of the lines that may cross a rectangle; at most `most`. */
export function linesIn({ lineBounds }: Scene, within: Rectangle, most = Infinity): number[] {
  const [right, bottom] = [within.x + within.width, within.y + within.height];
  const found: number[] = [];
  for (let at = 0; at < lineBounds.length; at += 4) {
    if ((lineBounds[at] as number) > right || (lineBounds[at + 1] as number) > bottom) continue;
    if ((lineBounds[at + 2] as number) < within.x || (lineBounds[at + 3] as number) < within.y)
      continue;
    found.push(at / 4);
    if (found.length >= most) break;
  }
  return found;
}

/** The node at a point; the topmost if several overlap. */
export function nodeAt(scene: Scene, { x, y }: Position): NodeId | undefined {
  const number = nodesIn(scene, { x, y, width: 0, height: 0 }).at(-1);
  return number === undefined ? undefined : scene.nodes[number]?.id;
}

/** The bounding box of the given nodes, or of all; undefined if there are none. */
export function boundsOf(scene: Scene, ids?: readonly NodeId[]): Rectangle | undefined {
  const numbers = ids ? ids.flatMap((id) => scene.indexById.get(id) ?? none) : scene.nodes.keys();
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const number of numbers) {
    const { x, y, width, height } = rectangleOf(scene, number);
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return left > right ? undefined : { x: left, y: top, width: right - left, height: bottom - top };
}

/** The indexes of nodes by their ids. Unknown ids are ignored. */
export function indicesOf(at: Scene["indexById"], ids: Iterable<NodeId>): Set<number> {
  const numbers = new Set<number>();
  for (const id of ids) {
    const number = at.get(id);
    if (number !== undefined) numbers.add(number);
  }
  return numbers;
}
