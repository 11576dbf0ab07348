import type { Node, Position, Direction as Reading } from "@/api/bindings";

/** The size of a node card, in canvas units. */
export const cardSize = { width: 220, height: 64 } as const;
/** The size of a new note. */
const noteSize = { width: 220, height: 120 } as const;

/** The reading direction of plans that don't set one. */
export const defaultDirection: Reading = "left_right";

/** The gap between a node and one inserted after it. */
export const nodeGap = 64;

/** All positions are multiples of this, as in the layout in Rust. */
export const grid = 4;

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Reports whether two rectangles overlap or touch. */
export function rectanglesOverlap(one: Rectangle, other: Rectangle): boolean {
  return (
    one.x <= other.x + other.width &&
    one.y <= other.y + other.height &&
    one.x + one.width >= other.x &&
    one.y + one.height >= other.y
  );
}

export function sizeOf(node: Node): { width: number; height: number } {
  return node.kind.kind === "note" ? (node.kind.size ?? noteSize) : cardSize;
}

/** The nearest point on the grid. */
export function snapToGrid({ x, y }: Position): Position {
  return { x: Math.round(x / grid) * grid, y: Math.round(y / grid) * grid };
}

/**
 * A free position at or near `wish`: next to the nodes already there, across the reading direction.
 */
export function findFreePosition(
  wish: Position,
  nodes: readonly Node[],
  reading: Reading = defaultDirection,
): Position {
  const down = reading === "top_down";
  const room = {
    x: down ? cardSize.width + 12 : cardSize.width,
    y: down ? cardSize.height : cardSize.height + 12,
  };
  const step = down ? { x: cardSize.width + 28, y: 0 } : { x: 0, y: cardSize.height + 28 };
  let place = snapToGrid(wish);
  const isTaken = ({ position }: Node) =>
    position && Math.abs(position.x - place.x) < room.x && Math.abs(position.y - place.y) < room.y;
  while (nodes.some(isTaken)) place = { x: place.x + step.x, y: place.y + step.y };
  return place;
}

/** The position of a card that follows one at `place`, with room for the edge between them. */
export function positionAfter({ x, y }: Position, reading: Reading = defaultDirection): Position {
  return reading === "top_down"
    ? { x, y: y + cardSize.height + nodeGap }
    : { x: x + cardSize.width + nodeGap, y };
}

export type Direction = "left" | "right" | "up" | "down";

/**
 * The id whose place is nearest to `from` in a direction. Places straight ahead are preferred over
 * diagonal ones. Ids in `favored`, such as the children when moving right, win over all others.
 */
export function neighbor(
  from: Position,
  direction: Direction,
  places: ReadonlyMap<string, Position>,
  favored: readonly string[] = [],
): string | undefined {
  let best: { id: string; cost: number } | undefined;
  const first = new Set(favored);
  for (const [id, place] of places) {
    const cost = directionalDistance(from, direction, place, first.has(id));
    if (cost !== undefined && (!best || cost < best.cost)) best = { id, cost };
  }
  return best?.id;
}

function directionalDistance(
  from: Position,
  direction: Direction,
  to: Position,
  favored: boolean,
): number | undefined {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const ahead = { left: -dx, right: dx, up: -dy, down: dy }[direction];
  if (ahead <= 0) return undefined;
  const aside = direction === "left" || direction === "right" ? Math.abs(dy) : Math.abs(dx);
  return ahead + 2 * aside - (favored ? 1e9 : 0);
}
