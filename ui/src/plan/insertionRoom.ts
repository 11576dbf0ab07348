import type { Edge, Node, NodeId, Plan, Position } from "@/api/bindings";
import { type Axis, acrossAxis, downAxis } from "./axis";
import {
  cardSize,
  defaultDirection,
  findFreePosition,
  grid,
  nodeGap,
  type Rectangle,
  sizeOf,
} from "./geometry";
import { nodesById } from "./nodesById";
import { adjacencyOf, reachable } from "./reachability";

/** The room for a node that is inserted into an edge. */
export interface InsertionRoom {
  /** The position of the inserted node. */
  at: Position;
  /** The new positions of the nodes that make room. */
  moved: Map<NodeId, Position>;
}

/** The least space between the inserted node and the ends of the edge. */
const leastGap = nodeGap / 2;

/**
 * Finds the room for a node at or near `wish` on the edge between two nodes. Where there is too
 * little, the child and what follows it move on in the reading direction, all by the same distance,
 * and so does every node that one of them would cover. `inserted` is the node itself if it is
 * already in the plan. All nodes should have positions; others stay where they are. Pure.
 */
export function makeInsertionRoom(
  plan: Plan,
  ends: Pick<Edge, "parent" | "child">,
  wish: Position,
  inserted?: NodeId,
): InsertionRoom {
  const reading = plan.direction ?? defaultDirection;
  const axis: Axis = reading === "top_down" ? downAxis : acrossAxis;
  const nodes = plan.nodes.filter((node) => node.id !== inserted);
  const byId = nodesById(plan);
  const [parent, child] = [boxOf(byId.get(ends.parent)), boxOf(byId.get(ends.child))];
  const isAhead = parent && child && child[axis.at] >= endOf(parent, axis);
  if (!isAhead) return { at: findFreePosition(wish, nodes, reading), moved: new Map() };

  const least = endOf(parent, axis);
  const start = wish[axis.at] < least + leastGap ? least + nodeGap : wish[axis.at];
  const end = start + cardSize[axis.size];
  const missing = end + leastGap > child[axis.at] ? end + nodeGap - child[axis.at] : 0;
  const by = Math.ceil(missing / grid) * grid;
  const moved = by > 0 ? pushed(nodes, axis, by, child[axis.at], following(plan, ends)) : new Map();
  const others = nodes.map((node) => ({ ...node, position: moved.get(node.id) ?? node.position }));
  return { at: findFreePosition({ ...wish, [axis.at]: start }, others, reading), moved };
}

function endOf(box: Rectangle, axis: Axis): number {
  return box[axis.at] + box[axis.size];
}

function boxOf(node: Node | undefined): Rectangle | undefined {
  return node?.position ? { ...node.position, ...sizeOf(node) } : undefined;
}

/** The child and everything after it, without what also comes before the parent. */
function following(plan: Plan, { parent, child }: Pick<Edge, "parent" | "child">): Set<NodeId> {
  const { childrenOf, parentsOf } = adjacencyOf(plan);
  const found = reachable(childrenOf, child).add(child);
  for (const id of reachable(parentsOf, parent).add(parent)) found.delete(id);
  return found;
}

/**
 * Moves the nodes of `first` from `from` on, and the nodes that they would newly cover. Moved nodes
 * never cover each other, because all of them move by the same distance.
 */
function pushed(
  nodes: readonly Node[],
  axis: Axis,
  by: number,
  from: number,
  first: ReadonlySet<NodeId>,
): Map<NodeId, Position> {
  const boxes = nodes
    .flatMap((node) => {
      const box = boxOf(node);
      return box && box[axis.at] >= from ? [{ id: node.id, box }] : [];
    })
    .sort((one, other) => one.box[axis.at] - other.box[axis.at]);
  const moved = new Map<NodeId, Position>();
  // In order along the axis, so that a node is only hit by nodes before it in the list.
  const open: Rectangle[] = [];
  for (const { id, box } of boxes) {
    if (!first.has(id) && !open.some((mover) => isHit(mover, box, axis, by))) continue;
    open.push(box);
    moved.set(id, { x: box.x, y: box.y, [axis.at]: box[axis.at] + by });
  }
  return moved;
}

/** Reports whether a box that moves along the axis would newly come too close to another. */
function isHit(mover: Rectangle, box: Rectangle, axis: Axis, by: number): boolean {
  const ahead = box[axis.at] - endOf(mover, axis);
  return (
    ahead >= 0 &&
    ahead < by + leastGap &&
    mover[axis.crossAt] < box[axis.crossAt] + box[axis.crossSize] &&
    box[axis.crossAt] < mover[axis.crossAt] + mover[axis.crossSize]
  );
}
