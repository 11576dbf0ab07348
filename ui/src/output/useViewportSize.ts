import { type RefObject, useEffect, useLayoutEffect } from "react";
import type { OutputReader } from "./OutputReader";

/** The height of a row before it can be measured, in pixels. */
const defaultRowHeight = 18;

export interface ViewportElements {
  scroller: RefObject<HTMLElement | null>;
  /** An element as high as a row that isn't wrapped. */
  probe: RefObject<HTMLElement | null>;
}

/** Tells a reader how much room there is, and how high the rendered rows are. */
export function useViewportSize(
  { scroller, probe }: ViewportElements,
  reader: OutputReader,
  wrap: boolean,
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    let width = element.clientWidth;
    const measure = () => {
      reader.resize(element.clientHeight, heightOf(probe.current) || defaultRowHeight);
      if (element.clientWidth !== width) reader.forgetHeights();
      width = element.clientWidth;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (probe.current) observer.observe(probe.current);
    return () => observer.disconnect();
  }, [scroller, probe, reader]);

  useEffect(() => reader.setWrapped(wrap), [reader, wrap]);

  // Every render may have added rows whose height is unknown.
  useLayoutEffect(() => {
    if (!wrap) return;
    const rows = scroller.current?.querySelectorAll<HTMLElement>("[data-position]") ?? [];
    reader.measure(Array.from(rows, (row) => [Number(row.dataset.position), heightOf(row)]));
  });
}

/** The exact height: with larger text, rows aren't a whole number of pixels high. */
function heightOf(element: HTMLElement | null): number {
  return element?.getBoundingClientRect().height || element?.offsetHeight || 0;
}
