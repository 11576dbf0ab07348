import { type RefObject, useEffect, useState } from "react";

/** Returns the width of an element in whole pixels; 0 until it is measured. */
export function useElementWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = of.current;
    if (!element || typeof ResizeObserver === "undefined") return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.round(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return width;
}
