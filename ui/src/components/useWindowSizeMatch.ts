import { useSyncExternalStore } from "react";
import { useTextScale } from "@/design/textScale";

/**
 * Whether the window's size in units satisfies `asks`. Larger text means fewer units in the same
 * window. For decisions that CSS can't make: media queries don't know Baton's text size.
 */
export function useWindowSizeMatch(asks: (width: number, height: number) => boolean): boolean {
  const unit = useTextScale();
  return useSyncExternalStore(follow, () =>
    asks(window.innerWidth / unit, window.innerHeight / unit),
  );
}

/** Whether the window has room for an item next to its list. */
export function useIsWideWindow(): boolean {
  return useWindowSizeMatch(isWide);
}

const isWide = (width: number) => width >= 1_400;

function follow(onChange: () => void): () => void {
  window.addEventListener("resize", onChange);
  return () => window.removeEventListener("resize", onChange);
}
