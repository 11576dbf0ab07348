import { useCallback, useEffect, useRef } from "react";

/**
 * Seeks at most once per frame, to the last requested moment: dragging passes more moments than can
 * be rendered.
 */
export function useFrameSeek(seek: (index: number) => void): (index: number) => void {
  const latest = useRef(seek);
  const wanted = useRef<number>(undefined);
  const frame = useRef(0);
  useEffect(() => {
    latest.current = seek;
  });
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  return useCallback((index) => {
    if (wanted.current === undefined)
      frame.current = requestAnimationFrame(() => {
        const to = wanted.current;
        wanted.current = undefined;
        if (to !== undefined) latest.current(to);
      });
    wanted.current = index;
  }, []);
}
