import { useEffect, useRef } from "react";

/** The callbacks of a drag. */
export interface PointerDrag {
  move: (to: PointerEvent) => void;
  /** The pointer button was released. */
  drop: (at: PointerEvent) => void;
  /** Escape was pressed, the system canceled the pointer, or the dragged element left the page. */
  cancel: () => void;
}

/**
 * Tracks the pointer from a press until it is released or the drag is canceled, and calls exactly
 * one of `drop` and `cancel`. HTML drag and drop does not work in every web view. Returns a
 * function that cancels the drag.
 */
export function trackPointer({ move, drop, cancel }: PointerDrag): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const cancelDrag = () => {
    if (signal.aborted) return;
    controller.abort();
    cancel();
  };
  const onPointerUp = (at: PointerEvent) => {
    controller.abort();
    drop(at);
  };
  const onKeyDown = (key: KeyboardEvent) => {
    if (key.key !== "Escape") return;
    key.stopPropagation();
    cancelDrag();
  };
  window.addEventListener("pointermove", move, { signal });
  window.addEventListener("pointerup", onPointerUp, { signal });
  window.addEventListener("pointercancel", cancelDrag, { signal });
  window.addEventListener("keydown", onKeyDown, { signal, capture: true });
  return cancelDrag;
}

/**
 * Returns a function that starts a drag. A new drag or unmounting the component cancels the current
 * one.
 */
export function usePointerDrag(): (drag: PointerDrag) => void {
  const cancelDrag = useRef<() => void>(undefined);
  useEffect(() => () => cancelDrag.current?.(), []);
  return (drag) => {
    cancelDrag.current?.();
    cancelDrag.current = trackPointer(drag);
  };
}

/**
 * Suppresses the click that ends a drag: on the element where the drag began it would count as a
 * selection.
 */
export function suppressNextClick(): void {
  const swallow = (event: MouseEvent) => event.stopPropagation();
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
}
