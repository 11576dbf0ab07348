/** Scrolls a list while something is dragged near its upper or lower edge, for as long as it stays there. */

/** So near to an edge a list begins to scroll, in pixels. */
const edgeZone = 48;
/** The most that it scrolls in a frame, in pixels: at the edge and beyond it. */
const maxScrollStep = 20;

/** How far a list scrolls in a frame while the pointer is at a height of the window: upwards less than nothing. */
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

/** Scrolls `list` by where the pointer was last told to be. `onScroll` is called after each move of the list. */
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
