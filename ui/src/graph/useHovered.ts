import { useStoreApi } from "@xyflow/react";
import { type PointerEvent, useState } from "react";
import { flushSync } from "react-dom";
import type { NodeId, Position } from "@/api/bindings";
import { lineAt } from "./lineAt";
import { nodeAt, type Scene } from "./scene";

/** What the pointer is on where it is only drawn: a node, or else the edge that passes by. */
export interface Hovered {
  node: NodeId | undefined;
  edge: string | undefined;
}

/** How near the pointer has to come to an edge, in pixels: as wide as the elements of edges can be pressed. */
const reach = 8;

const nothing: Hovered = { node: undefined, edge: undefined };

/** What lies under a place of the plan that is seen at `zoom`; nodes go before the edges below them. Pure. */
export function drawnAt(scene: Scene, place: Position, zoom: number): Hovered {
  const node = nodeAt(scene, place);
  if (node !== undefined) return { node, edge: undefined };
  return { node, edge: lineAt(scene, place, undefined, reach / zoom)?.key };
}

/**
 * What is under the pointer where things are drawn. It becomes an element before a press can reach it, so that a press,
 * a drag and the menu mean what they mean everywhere. Nothing where all is made of elements anyway.
 */
export function useHovered(): Hovered & {
  /** What a move of the pointer calls, with what is on the canvas by now. */
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
