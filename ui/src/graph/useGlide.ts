import { useEffect, useRef } from "react";
import type { NodeId, Position } from "@/api/bindings";

const span = 150;
/** More nodes than these are put at once: moving them all would only stutter. */
const mostGliding = 300;

/** Moves nodes from where they stand to where they shall stand, by `show`ing places in between. */
export function useGlide(show: (places: ReadonlyMap<NodeId, Position>) => void) {
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  return (
    from: (node: NodeId) => Position | undefined,
    to: ReadonlyMap<NodeId, Position>,
    settle: () => void,
  ) => {
    cancelAnimationFrame(frame.current);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (still || to.size > mostGliding) {
      settle();
      return;
    }
    const starts = new Map([...to].map(([id, place]) => [id, from(id) ?? place]));
    const begin = performance.now();
    const step = (now: number) => {
      const part = Math.min(1, (now - begin) / span);
      if (part === 1) {
        show(new Map());
        settle();
        return;
      }
      show(between(starts, to, 1 - (1 - part) ** 3));
      frame.current = requestAnimationFrame(step);
    };
    frame.current = requestAnimationFrame(step);
  };
}

function between(
  from: ReadonlyMap<NodeId, Position>,
  to: ReadonlyMap<NodeId, Position>,
  part: number,
): Map<NodeId, Position> {
  return new Map(
    [...to].map(([id, end]) => {
      const start = from.get(id) ?? end;
      return [id, { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part }];
    }),
  );
}
