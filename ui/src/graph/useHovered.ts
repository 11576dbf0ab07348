import { type PointerEvent, useState } from "react";
import { flushSync } from "react-dom";
import type { NodeId, Position } from "@/api/bindings";
import { nodeAt, type Scene } from "./scene";

/**
 * The node under the pointer where nodes are drawn. It becomes an element before a press can reach it, so that a press,
 * a drag and the menu mean what they mean everywhere. Nobody where nodes are elements anyway.
 */
export function useHovered(
  scene: Scene,
  far: boolean,
  toPlan: (screen: Position) => Position,
): { hovered: NodeId | undefined; onPointerMove: (event: PointerEvent) => void } {
  const [hovered, setHovered] = useState<NodeId>();

  function onPointerMove({ buttons, target, clientX, clientY }: PointerEvent) {
    if (!far || buttons !== 0 || !(target as Element).closest(".react-flow")) return;
    const under = nodeAt(scene, toPlan({ x: clientX, y: clientY }));
    if (under !== hovered) flushSync(() => setHovered(under));
  }

  return { hovered: far ? hovered : undefined, onPointerMove };
}
