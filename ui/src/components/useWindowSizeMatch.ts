import { useSyncExternalStore } from "react";
import { useTextScale } from "@/design/textScale";

/**
 * Whether the window is as large as `asks` wants it, width and height in units: with larger text the same window has
 * fewer. For what CSS cannot decide, since its media queries know nothing of the size of text that Baton sets.
 */
export function useWindowSizeMatch(asks: (width: number, height: number) => boolean): boolean {
  const unit = useTextScale();
  return useSyncExternalStore(follow, () =>
    asks(window.innerWidth / unit, window.innerHeight / unit),
  );
}

/** Whether the window has room for an item beside the list that it was chosen from. */
export function useIsWideWindow(): boolean {
  return useWindowSizeMatch(isWide);
}

const isWide = (width: number) => width >= 1_400;

function follow(onChange: () => void): () => void {
  window.addEventListener("resize", onChange);
  return () => window.removeEventListener("resize", onChange);
}
