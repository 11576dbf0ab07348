import { useSyncExternalStore } from "react";

/** The pixels of `font-size: 100%`, on which `--unit` in tokens.css is based. */
const defaultFontSize = 16;

/**
 * Returns the pixels per `--unit`: 1, or more with larger text. For sizes that are needed as
 * numbers, such as the row height of a virtualized list.
 */
export function useTextScale(): number {
  return useSyncExternalStore(follow, measureTextScale);
}

/** Returns the current scale once, without updates. */
export function measureTextScale(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return size > 0 ? size / defaultFontSize : 1;
}

/**
 * No event reports a change of the browser's or Baton's text size, so an element that is 1rem wide
 * is observed.
 */
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
