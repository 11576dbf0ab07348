import { useReactFlow, useStoreApi, type Viewport } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";

/** A fitted view, and how to fit it again. */
interface Fitted {
  view: Viewport;
  again: () => Promise<void>;
}

/**
 * Refits a fitted plan when the canvas is resized, unless the user has moved the view since.
 * Otherwise keeps the center of the view in the center. Returns a function that reports a fitted
 * view.
 */
export function useRefitOnResize(): (view: Viewport, again: () => Promise<void>) => void {
  const store = useStoreApi();
  const { setViewport } = useReactFlow();
  const fitted = useRef<Fitted>(undefined);

  useEffect(
    () =>
      store.subscribe((now, before) => {
        const [wider, higher] = [now.width - before.width, now.height - before.height];
        // A size of zero means that the canvas is not visible.
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
