import { type RefObject, useEffect } from "react";
import type { OutputReader } from "./OutputReader";

/**
 * Scrolls a reader by wheel, touch, and whatever makes the browser scroll the element itself, such
 * as selecting beyond an edge. Sideways, the element scrolls natively.
 */
export function useScrollGestures(element: RefObject<HTMLElement | null>, reader: OutputReader) {
  useEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    // React's handlers are passive and can't prevent the native scroll.
    target.addEventListener("wheel", (event) => onWheel(event, reader), { signal, passive: false });
    target.addEventListener("scroll", () => moveNativeScroll(target, reader), { signal });
    listenToTouch(target, reader, signal);
    return () => listening.abort();
  }, [element, reader]);
}

function onWheel(event: WheelEvent, reader: OutputReader): void {
  const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
  // With Ctrl, the wheel zooms.
  if (event.ctrlKey || isSideways) return;
  event.preventDefault();
  reader.scrollBy(event.deltaY * pixelsPerUnit(event, reader));
}

function pixelsPerUnit({ deltaMode }: WheelEvent, { viewport }: OutputReader): number {
  if (deltaMode === WheelEvent.DOM_DELTA_LINE) return viewport.rowHeight;
  return deltaMode === WheelEvent.DOM_DELTA_PAGE ? viewport.height : 1;
}

function moveNativeScroll(target: HTMLElement, reader: OutputReader): void {
  if (target.scrollTop === 0) return;
  const moved = target.scrollTop;
  target.scrollTop = 0;
  reader.scrollBy(moved);
}

/** `touch-action: pan-x` leaves vertical moves to this. */
function listenToTouch(target: HTMLElement, reader: OutputReader, signal: AbortSignal): void {
  let last: number | undefined;
  const onTouch = (event: TouchEvent) => {
    const [touch] = event.touches;
    if (touch && last !== undefined && event.type === "touchmove")
      reader.scrollBy(last - touch.clientY);
    last = event.touches.length === 1 ? touch?.clientY : undefined;
  };
  for (const name of ["touchstart", "touchmove", "touchend", "touchcancel"] as const)
    target.addEventListener(name, onTouch, { signal, passive: true });
}
