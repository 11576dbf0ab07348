import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
} from "react";
import { flushSync } from "react-dom";
import type { EntrySequence } from "./entrySequence";
import { RowHeights } from "./RowHeights";

export interface VirtualRowsOptions {
  scroller: RefObject<HTMLElement | null>;
  sequence: EntrySequence;
  /** The height of a row that was never rendered, in pixels. */
  estimatedHeight: number;
  /** How many rows are rendered above and below the visible ones. */
  overscan: number;
  /** The position of a row that is always rendered; -1 for none. */
  keepMounted: number;
  /** Keeps the end in view. */
  following: boolean;
}

export interface VirtualRows {
  /** The rendered rows with their distance from the top, in pixels. */
  rows: { place: number; top: number }[];
  /** The first and last visible row. */
  from: number;
  to: number;
  height: number;
  /** Scrolls a row into view by the shortest way; `roomy` leaves space for it to expand. */
  show: (place: number, roomy: boolean) => void;
}

/**
 * Renders only the rows near the viewport. The first visible entry is the anchor: it keeps its
 * position when heights are measured, rows are added or the filter changes. Row elements have their
 * position as `data-index`.
 */
export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { scroller, sequence, estimatedHeight, overscan, keepMounted, following } = options;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const window = useRef({ top: 0, height: 600 });
  const anchor = useRef({ seq: 0, offset: 0 });
  const heights = useHeights(sequence, estimatedHeight);

  const { top, height } = window.current;
  const from = heights.rowAt(top);
  const to = Math.max(from, heights.rowAt(top + height));
  const drawn = useRef({ from, to });
  drawn.current = { from, to };

  const anchorHere = useEffectEvent((scrollTop: number) => {
    const place = heights.rowAt(scrollTop);
    anchor.current = { seq: sequence.at(place), offset: scrollTop - heights.top(place) };
  });

  const onMoved = useEffectEvent((element: HTMLElement) => {
    window.current = { top: element.scrollTop, height: element.clientHeight };
    anchorHere(element.scrollTop);
    const first = heights.rowAt(element.scrollTop);
    const last = heights.rowAt(element.scrollTop + element.clientHeight);
    if (first !== drawn.current.from || last !== drawn.current.to) flushSync(redraw);
  });

  const onResized = useEffectEvent((elements: Iterable<Element>) => {
    if (measure(heights, elements)) flushSync(redraw);
  });

  /** Scrolls to the end or to the anchor. */
  const keepPlace = useEffectEvent((element: HTMLElement) => {
    const wanted = following
      ? element.scrollHeight - element.clientHeight
      : heights.top(sequence.placeOf(anchor.current.seq)) + anchor.current.offset;
    if (Math.abs(element.scrollTop - wanted) > 1) element.scrollTop = wanted;
  });

  // Every render may have added rows of unknown height or moved the anchor.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    if (measure(heights, rowsOf(element))) redraw();
    else keepPlace(element);
  });

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const scrolled = () => onMoved(element);
    const observer = new ResizeObserver((changes) => {
      const targets = changes.map((change) => change.target);
      if (targets.includes(element)) {
        // Otherwise, the next render would move the rows, maybe below a pressed pointer.
        keepPlace(element);
        scrolled();
      }
      onResized(targets.filter((target) => target !== element));
    });
    observer.observe(element);
    const rows = watchRows(element, observer);
    element.addEventListener("scroll", scrolled, { passive: true });
    scrolled();
    return () => {
      element.removeEventListener("scroll", scrolled);
      rows.disconnect();
      observer.disconnect();
    };
  }, [scroller]);

  function show(place: number, roomy: boolean): void {
    const element = scroller.current;
    if (!element) return;
    const start = heights.top(place);
    const end = start + heights.height(place) + (roomy ? element.clientHeight / 2 : 0);
    const isAbove = start < element.scrollTop;
    const isBelow = end > element.scrollTop + element.clientHeight;
    if (!isAbove && !isBelow) return;
    const target = roomy
      ? Math.max(0, start - element.clientHeight / 3)
      : isAbove
        ? start
        : Math.min(start, end - element.clientHeight);
    // The anchor determines the scroll position even before the new rows are measured.
    anchor.current = { seq: sequence.at(place), offset: target - start };
    element.scrollTop = target;
    onMovedTo(element);
  }

  function onMovedTo(element: HTMLElement): void {
    window.current = { top: element.scrollTop, height: element.clientHeight };
    redraw();
  }

  return {
    rows: placesToDraw(from, to, overscan, keepMounted, sequence.length).map((place) => ({
      place,
      top: heights.top(place),
    })),
    from,
    to: Math.min(to, sequence.length - 1),
    height: heights.total,
    show,
  };
}

/** The heights of a sequence. They survive added entries, but not a change of the sequence. */
function useHeights(sequence: EntrySequence, estimatedHeight: number): RowHeights {
  const { id } = sequence;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new length is applied below
  const heights = useMemo(
    () => new RowHeights(sequence.length, estimatedHeight),
    [id, estimatedHeight],
  );
  heights.grow(sequence.length);
  return heights;
}

function placesToDraw(
  from: number,
  to: number,
  overscan: number,
  keepMounted: number,
  length: number,
) {
  const first = Math.max(0, from - overscan);
  const last = Math.min(length - 1, to + overscan);
  const places = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (keepMounted < 0 || keepMounted >= length || (keepMounted >= first && keepMounted <= last))
    return places;
  return keepMounted < first ? [keepMounted, ...places] : [...places, keepMounted];
}

/** The rendered rows. A row may contain a list with rows of its own. */
function rowsOf(element: HTMLElement): Iterable<Element> {
  return element.querySelectorAll(":scope > * > [data-index]");
}

function measure(heights: RowHeights, elements: Iterable<Element>): boolean {
  let moved = false;
  for (const element of elements) {
    if (!(element instanceof HTMLElement) || !element.isConnected) continue;
    const place = Number(element.dataset.index);
    moved = heights.measure(place, element.offsetHeight) || moved;
  }
  return moved;
}

/** Observes rows as they are added to and removed from the document. */
function watchRows(element: HTMLElement, observer: ResizeObserver): MutationObserver {
  for (const row of rowsOf(element)) observer.observe(row);
  const watching = new MutationObserver((changes) => {
    for (const { addedNodes, removedNodes } of changes) {
      for (const node of addedNodes) if (node instanceof HTMLElement) observer.observe(node);
      for (const node of removedNodes) if (node instanceof HTMLElement) observer.unobserve(node);
    }
  });
  const body = element.firstElementChild;
  if (body) watching.observe(body, { childList: true });
  return watching;
}
