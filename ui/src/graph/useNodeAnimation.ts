import { useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import type { NodeId, Position } from "@/api/bindings";

const animationMs = 150;
/** Larger moves are not animated, because they would only stutter. */
const maxAnimatedNodes = 300;

/**
 * Animates nodes to new positions by `show`ing intermediate ones. The edit itself is made
 * immediately by `settle`, so that actions during the animation see the new plan and don't revert
 * it.
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
      // Wait until the plan's new positions have been drawn.
      frame.current = requestAnimationFrame(arrived);
    };
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (still || to.size > maxAnimatedNodes) {
      settle();
      end();
      return;
    }
    const starts = new Map([...to].map(([id, place]) => [id, from(id) ?? place]));
    // Draw the start positions before the plan changes; otherwise the new positions would flash for
    // one frame.
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
