import { useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import type { NodeId, Position } from "@/api/bindings";

const animationMs = 150;
/** More nodes than these are put at once: moving them all would only stutter. */
const maxAnimatedNodes = 300;

/**
 * Moves nodes from where they stand to where they shall stand, by `show`ing places in between. Only the eye has to wait:
 * what is done is `settle`d at once, so that no act that comes during the way finds an older plan, or takes it back.
 */
export function useNodeAnimation(show: (places: ReadonlyMap<NodeId, Position>) => void) {
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  return (
    from: (node: NodeId) => Position | undefined,
    to: ReadonlyMap<NodeId, Position>,
    settle: () => void,
    arrived: () => void = () => {},
  ) => {
    cancelAnimationFrame(frame.current);
    const end = () => {
      show(new Map());
      // The places that the plan has by then are drawn first.
      frame.current = requestAnimationFrame(arrived);
    };
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (still || to.size > maxAnimatedNodes) {
      settle();
      end();
      return;
    }
    const starts = new Map([...to].map(([id, place]) => [id, from(id) ?? place]));
    // Drawn before the plan changes: a frame with the new places would flash.
    flushSync(() => show(starts));
    settle();
    const begin = performance.now();
    const step = (now: number) => {
      const part = Math.min(1, (now - begin) / animationMs);
      if (part === 1) {
        end();
        return;
      }
      show(interpolatePositions(starts, to, 1 - (1 - part) ** 3));
      frame.current = requestAnimationFrame(step);
    };
    frame.current = requestAnimationFrame(step);
  };
}

function interpolatePositions(
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
