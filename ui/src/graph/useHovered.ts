import { useStoreApi } from "@xyflow/react";
import { type PointerEvent, useState } from "react";
import { flushSync } from "react-dom";
import type { NodeId, Position } from "@/api/bindings";
import { lineAt } from "./lineAt";
import { nodeAt, type Scene } from "./scene";

/** The painted item under the pointer: a node, or else an edge. */
export interface Hovered {
  node: NodeId | undefined;
  edge: string | undefined;
}

/** How close the pointer must be to an edge, in pixels; the same as for edge elements. */
const reach = 8;

const nothing: Hovered = { node: undefined, edge: undefined };

/** The item at a point of the plan, seen at `zoom`. Nodes win over edges below them. Pure. */
export function drawnAt(scene: Scene, place: Position, zoom: number): Hovered {
  const node = nodeAt(scene, place);
  if (node !== undefined) return { node, edge: undefined };
  return { node, edge: lineAt(scene, place, undefined, reach / zoom)?.key };
}

/**
 * Tracks the painted item under the pointer. It is rendered as an element before a click can reach
 * it, so that clicks, drags and the context menu work as usual. Unused when everything is rendered
 * as elements.
 */
export function useHovered(): Hovered & {
  /** Call on pointer moves, with the current scene. */
  follow: (event: PointerEvent, scene: Scene, toPlan: (screen: Position) => Position) => void;
  leave: () => void;
} {
  const store = useStoreApi();
  const [hovered, setHovered] = useState(nothing);

  function follow(
    { buttons, target, clientX, clientY }: PointerEvent,
    scene: Scene,
    toPlan: (screen: Position) => Position,
  ) {
    if (buttons !== 0 || !(target as Element).closest(".react-flow")) return;
    const [, , zoom] = store.getState().transform;
    const under = drawnAt(scene, toPlan({ x: clientX, y: clientY }), zoom);
    if (under.node !== hovered.node || under.edge !== hovered.edge)
      flushSync(() => setHovered(under));
  }

  return { ...hovered, follow, leave: () => setHovered(nothing) };
}
