import { useStoreApi } from "@xyflow/react";
import { type ReactElement, useLayoutEffect, useRef } from "react";
import { dotPattern } from "./gridDots";

/**
 * Dots behind the graph, to see how far it moves and what is in line. They follow the view without
 * rerendering, and panning only transforms them. Without a graphics card this costs 4 ms a frame, so
 * a large plan, whose pictures cost more, goes without.
 */
export function GridDots(): ReactElement {
  const dots = useRef<HTMLDivElement>(null);
  const store = useStoreApi();

  useLayoutEffect(() => {
    const follow = () => {
      if (!dots.current) return;
      const { gap, x, y } = dotPattern(store.getState().transform);
      const { style } = dots.current;
      style.setProperty("--dot-gap", `${gap}px`);
      style.transform = `translate(${x}px,${y}px)`;
    };
    follow();
    return store.subscribe((now, before) => {
      if (now.transform !== before.transform) follow();
    });
  }, [store]);

  return (
    <div aria-hidden="true" className="grid-dots">
      <div ref={dots} />
    </div>
  );
}
