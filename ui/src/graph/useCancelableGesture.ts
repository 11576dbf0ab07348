import { useStoreApi } from "@xyflow/react";
import { type RefObject, useCallback, useEffect, useEffectEvent, useRef } from "react";
import type { NodeId } from "@/api/bindings";
import { useBlueprint } from "@/plan/blueprintContext";

/** A press on the canvas whose button is still down. */
export interface PointerGesture {
  /** The selection when it began. */
  nodes: ReadonlySet<NodeId>;
  edges: ReadonlySet<string>;
  /** Whether a selection box adds to that selection. */
  adds: boolean;
}

/**
 * Lets Escape cancel a press on the canvas: a drag of nodes, an edge being drawn, a selection box.
 * React Flow ends these only when the button is released, so a release is simulated, and the
 * handlers check `wasCanceled` to discard the result. Lasso, palette and group frames track the
 * pointer themselves, see `trackPointer`.
 */
export function useCancelableGesture(
  frame: RefObject<HTMLElement | null>,
  isDragging: () => boolean,
) {
  const { editor } = useBlueprint();
  const store = useStoreApi();
  const held = useRef<PointerGesture>(undefined);
  const canceled = useRef(false);
  const drags = useEffectEvent(isDragging);

  useEffect(() => {
    const begin = (event: PointerEvent) => {
      canceled.current = false;
      held.current = undefined;
      if (!(event.target instanceof Element && frame.current?.contains(event.target))) return;
      const { selection, selectedEdges } = editor.getState();
      const adds = event.shiftKey || event.ctrlKey || event.metaKey;
      held.current = { nodes: selection, edges: selectedEdges, adds };
    };
    const end = () => {
      held.current = undefined;
    };
    const cancelGesture = (event: KeyboardEvent) => {
      const press = held.current;
      if (event.key !== "Escape" || !press) return;
      const { userSelectionActive, connection } = store.getState();
      if (!userSelectionActive && !connection.inProgress && !drags()) return;
      event.stopPropagation();
      canceled.current = true;
      held.current = undefined;
      if (userSelectionActive) {
        store.setState({ userSelectionActive: false, userSelectionRect: null });
        editor.getState().select(press.nodes, press.edges);
      } else {
        document.dispatchEvent(new MouseEvent("mouseup", { view: window, bubbles: true }));
      }
    };
    window.addEventListener("pointerdown", begin, true);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
    window.addEventListener("keydown", cancelGesture, true);
    return () => {
      window.removeEventListener("pointerdown", begin, true);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      window.removeEventListener("keydown", cancelGesture, true);
    };
  }, [editor, store, frame]);

  const wasCanceled = useCallback(() => canceled.current, []);
  return { held, wasCanceled };
}
