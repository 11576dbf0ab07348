import { useReactFlow, useStoreApi, type Viewport } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";

/** What was shown as a whole: the view that came of it, and how to come to the like again. */
interface Fitted {
  view: Viewport;
  again: () => Promise<void>;
}

/**
 * Keeps a plan that is shown as a whole so when its room grows or shrinks, as long as nobody has moved the view since.
 * Of a view that somebody chose, the middle stays in the middle. Answers how to say that a view was fitted.
 */
export function useRefitOnResize(): (view: Viewport, again: () => Promise<void>) => void {
  const store = useStoreApi();
  const { setViewport } = useReactFlow();
  const fitted = useRef<Fitted>(undefined);

  useEffect(
    () =>
      store.subscribe((now, before) => {
        const [wider, higher] = [now.width - before.width, now.height - before.height];
        // What has no size is not shown yet, or not any more.
        if ((wider === 0 && higher === 0) || before.width === 0 || now.width === 0) return;
        const [x, y, zoom] = now.transform;
        if (fitted.current && isSame(fitted.current.view, { x, y, zoom }))
          void fitted.current.again();
        else void setViewport({ x: x + wider / 2, y: y + higher / 2, zoom });
      }),
    [store, setViewport],
  );

  return useCallback((view, again) => {
    fitted.current = { view, again };
  }, []);
}

function isSame(one: Viewport, other: Viewport): boolean {
  return (
    Math.abs(one.x - other.x) < 1 &&
    Math.abs(one.y - other.y) < 1 &&
    Math.abs(one.zoom - other.zoom) < 0.001
  );
}
