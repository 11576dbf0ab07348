import { useEffect, useRef } from "react";

/** What becomes of a drag while the pointer goes on. */
export interface PointerDrag {
  move: (to: PointerEvent) => void;
  /** The button was let go. */
  drop: (at: PointerEvent) => void;
  /** Escape was pressed, the system took the pointer away, or what is dragged has left the page. */
  cancel: () => void;
}

/**
 * Follows the pointer wherever it goes after a press, until it is let go or the drag given up; then it is told once
 * which of them it was. HTML drag and drop does not work in every web view. Answers the way to give the drag up.
 */
export function trackPointer({ move, drop, cancel }: PointerDrag): () => void {
  const following = new AbortController();
  const { signal } = following;
  const giveUp = () => {
    if (signal.aborted) return;
    following.abort();
    cancel();
  };
  const end = (at: PointerEvent) => {
    following.abort();
    drop(at);
  };
  const release = (key: KeyboardEvent) => {
    if (key.key !== "Escape") return;
    key.stopPropagation();
    giveUp();
  };
  window.addEventListener("pointermove", move, { signal });
  window.addEventListener("pointerup", end, { signal });
  window.addEventListener("pointercancel", giveUp, { signal });
  window.addEventListener("keydown", release, { signal, capture: true });
  return giveUp;
}

/** Begins drags, one at a time, and gives up what goes on when its component leaves the page. */
export function usePointerDrag(): (drag: PointerDrag) => void {
  const giveUp = useRef<() => void>(undefined);
  useEffect(() => () => giveUp.current?.(), []);
  return (drag) => {
    giveUp.current?.();
    giveUp.current = trackPointer(drag);
  };
}

/** Keeps back the click that ends a drag: over what it began at, it would count as a choice. */
export function suppressNextClick(): void {
  const swallow = (event: MouseEvent) => event.stopPropagation();
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
}
