import type { NodeId, Position } from "@/api/bindings";
import type { Flow } from "./toFlow";

/** The node that covers a place; the one drawn last when several do. */
export function nodeAt({ nodes }: Flow, { x, y }: Position): NodeId | undefined {
  return nodes.findLast(
    ({ position, width = 0, height = 0 }) =>
      x >= position.x && x <= position.x + width && y >= position.y && y <= position.y + height,
  )?.id;
}
