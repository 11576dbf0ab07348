import { type RefObject, useRef } from "react";
import type { NodeId, Position } from "@/api/bindings";
import { useFocusRecovery } from "@/components/useFocusRecovery";
import { useBlueprint } from "@/plan/blueprintContext";
import { singleOf } from "@/plan/planAccess";
import { placeOf, type Scene } from "./scene";
import { cardAt, graphIn } from "./useCanvasHandle";

/**
 * Moves the focus when the focused element disappears: to the selected card, else to the card
 * nearest to the old place, else to the graph. Selects nothing, so that a second Delete doesn't
 * delete the neighbor.
 */
export function useCardFocus(frame: RefObject<HTMLDivElement | null>, scene: Scene): void {
  const { editor } = useBlueprint();
  const lastPosition = useRef<Position>(undefined);

  useFocusRecovery(
    frame,
    (last) => {
      if (last.isConnected && cardAt(last)) return last;
      const id = singleOf(editor.getState().selection);
      return (id && cardOf(id)) || nearest() || graphIn(frame.current);
    },
    (element) => {
      const id = cardAt(element);
      if (id !== undefined) lastPosition.current = placeOf(scene, id) ?? lastPosition.current;
    },
  );

  function cardOf(id: NodeId): HTMLElement | null | undefined {
    return frame.current?.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
  }

  function nearest(): HTMLElement | undefined {
    const from = lastPosition.current;
    if (!from) return undefined;
    let best: { element: HTMLElement; far: number } | undefined;
    for (const element of frame.current?.querySelectorAll<HTMLElement>(".react-flow__node") ?? []) {
      const place = placeOf(scene, element.dataset.id ?? "");
      if (!place || !element.checkVisibility()) continue;
      const far = Math.hypot(place.x - from.x, place.y - from.y);
      if (!best || far < best.far) best = { element, far };
    }
    return best?.element;
  }
}
