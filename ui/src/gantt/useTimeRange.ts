import { type RefObject, useEffect, useState } from "react";
import { panRange, type TimeRange, zoomRange } from "./timeRange";

const zoomStep = 1.5;

/**
 * The visible time range: the whole run until the user zooms or pans, and again after `showAll`.
 */
export function useTimeRange(whole: TimeRange, lanes: RefObject<HTMLElement | null>) {
  const [chosen, setChosen] = useState<TimeRange | undefined>();
  const range = chosen ?? whole;
  const change = (next: TimeRange) =>
    setChosen(next.to - next.from >= whole.to - whole.from ? undefined : next);
  const middle = (range.from + range.to) / 2;
  const zoom = (factor: number, around = middle) => change(zoomRange(range, factor, around, whole));
  const pan = (by: number) => change(panRange(range, by, whole));

  // React attaches wheel listeners as passive, so it couldn't prevent the page from zooming.
  useEffect(() => {
    const element = lanes.current;
    if (!element) return undefined;
    const turn = (event: WheelEvent) => {
      const box = element.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const part = (event.clientX - box.left) / box.width;
        const around = range.from + part * (range.to - range.from);
        zoom(event.deltaY < 0 ? zoomStep : 1 / zoomStep, around);
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        pan((event.deltaX || event.deltaY) / box.width);
      }
    };
    element.addEventListener("wheel", turn, { passive: false });
    return () => element.removeEventListener("wheel", turn);
  });

  return {
    range,
    isWhole: chosen === undefined,
    zoomIn: () => zoom(zoomStep),
    zoomOut: () => zoom(1 / zoomStep),
    pan,
    showAll: () => setChosen(undefined),
    show: change,
  };
}
