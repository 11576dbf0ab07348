/** Scrolls a list while something is dragged near its upper or lower edge. */

/** The distance from an edge at which scrolling starts, in pixels. */
const edgeZone = 48;
/** The maximum scroll distance per frame, in pixels, reached at the edge and beyond. */
const maxScrollStep = 20;

/**
 * The scroll distance per frame for a pointer at this height of the window; negative to scroll up.
 */
export function autoScrollStep(
  at: number,
  { top, bottom }: Pick<DOMRect, "top" | "bottom">,
): number {
  const reach = Math.min(edgeZone, (bottom - top) / 3);
  if (at < top + reach) return -Math.ceil(maxScrollStep * Math.min(1, (top + reach - at) / reach));
  if (at > bottom - reach)
    return Math.ceil(maxScrollStep * Math.min(1, (at - bottom + reach) / reach));
  return 0;
}

/** Scrolls `list` based on the last reported pointer position. Calls `onScroll` after each step. */
export function createAutoScroll(
  list: HTMLElement,
  onScroll: () => void,
): { follow: (at: number) => void; end: () => void } {
  let pointer: number | undefined;
  let waits = 0;
  function step() {
    waits = 0;
    const by = pointer === undefined ? 0 : autoScrollStep(pointer, list.getBoundingClientRect());
    if (by === 0) return;
    const before = list.scrollTop;
    list.scrollTop += by;
    if (list.scrollTop === before) return;
    onScroll();
    waits = requestAnimationFrame(step);
  }
  return {
    follow: (at) => {
      pointer = at;
      waits ||= requestAnimationFrame(step);
    },
    end: () => cancelAnimationFrame(waits),
  };
}
