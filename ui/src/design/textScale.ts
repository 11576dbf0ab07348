import { useSyncExternalStore } from "react";

/** Pixels that `font-size: 100%` stands for, on which `--unit` in tokens.css is built. */
const defaultFontSize = 16;

/**
 * How many pixels one `--unit` is: 1, or more where the person wants larger text. For what has to be known in numbers,
 * such as the height of rows of which only those in sight exist.
 */
export function useTextScale(): number {
  return useSyncExternalStore(follow, measureTextScale);
}

/** The same at this moment, for what is decided once. */
export function measureTextScale(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return size > 0 ? size / defaultFontSize : 1;
}

/** Neither the browser's setting nor Baton's own tells of a change: an element that is one rem wide does. */
function follow(onChange: () => void): () => void {
  if (typeof ResizeObserver === "undefined") return () => undefined;
  const probe = document.createElement("div");
  probe.style.cssText = "position:fixed;width:1rem;height:0;visibility:hidden;pointer-events:none";
  document.body.append(probe);
  const observer = new ResizeObserver(onChange);
  observer.observe(probe);
  return () => {
    observer.disconnect();
    probe.remove();
  };
}
