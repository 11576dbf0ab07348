import type { Group, GroupId, NodeId, Position } from "@/api/bindings";
import { boundingBox } from "@/plan/align";
import type { Rectangle } from "@/plan/geometry";
import { rectangleOf, type Scene } from "./scene";

/**
 * The frame around a group. The layout in Rust reserves space for it with `FRAME_MARGIN` and
 * `FRAME_HEAD`.
 */
export interface Frame {
  group: Group;
  box: Rectangle;
}

export const frameMargin = 20;
/** The height of the title above the members, in addition to the margin. */
export const frameHead = 28;

/**
 * The frames of the expanded groups. A frame stays in place while some of its members are dragged,
 * so that they can be dragged out, and moves along when all of them are.
 */
export function framesOf(
  groups: readonly Group[],
  resting: Scene,
  scene: Scene,
  moving: ReadonlyMap<NodeId, Position>,
): Frame[] {
  return groups.flatMap((group) => {
    const box = frameAround(group.nodes, isMoving(group, moving) ? scene : resting);
    return box ? [{ group, box }] : [];
  });
}

/** Reports whether a group moves as a whole. */
export function isMoving(group: Group, moving: ReadonlyMap<NodeId, Position>): boolean {
  return moving.size > 0 && group.nodes.every((id) => moving.has(id));
}

/** The frame around these nodes; undefined if none of them is in the scene. */
function frameAround(ids: readonly NodeId[], scene: Scene): Rectangle | undefined {
  const numbers = ids.flatMap((id) => scene.indexById.get(id) ?? []);
  const around = boundingBox(numbers.map((number) => rectangleOf(scene, number)));
  return (
    around && {
      x: around.x - frameMargin,
      y: around.y - frameMargin - frameHead,
      width: around.width + 2 * frameMargin,
      height: around.height + 2 * frameMargin + frameHead,
    }
  );
}

/** The smallest frame at a point, so that of overlapping frames the inner one wins. */
export function frameAt(frames: readonly Frame[], { x, y }: Position): Frame | undefined {
  return frames
    .filter(
      ({ box }) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height,
    )
    .sort((one, other) => area(one.box) - area(other.box))[0];
}

function area({ width, height }: Rectangle): number {
  return width * height;
}

/**
 * The group changes when nodes are dropped at `places`: a node whose center is inside a frame joins
 * that group, and a node outside its group's frame leaves it. Groups that move as a whole don't
 * change.
 */
export function groupChangesOnDrop(
  groups: readonly Group[],
  frames: readonly Frame[],
  places: ReadonlyMap<NodeId, Position>,
  sizeOf: (id: NodeId) => { width: number; height: number },
): Map<NodeId, GroupId | undefined> {
  const changes = new Map<NodeId, GroupId | undefined>();
  if (groups.length === 0) return changes;
  const whole = new Set(
    groups.filter(({ nodes }) => nodes.every((id) => places.has(id))).map(({ id }) => id),
  );
  const still = frames.filter(({ group }) => !whole.has(group.id));
  const now = new Map(groups.flatMap(({ id, nodes }) => nodes.map((node) => [node, id])));
  for (const [id, { x, y }] of places) {
    const before = now.get(id);
    if (before !== undefined && whole.has(before)) continue;
    const { width, height } = sizeOf(id);
    const after = frameAt(still, { x: x + width / 2, y: y + height / 2 })?.group.id;
    if (after !== before) changes.set(id, after);
  }
  return changes;
}
