import { useReactFlow, useStoreApi, type Viewport } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";
import { type CanvasBox, isBannerChange, viewAfterBanner } from "./viewAfterResize";

/** A fitted view, and how to fit it again. */
interface Fitted {
  view: Viewport;
  again: () => Promise<void>;
}

/**
 * Refits a fitted plan when the canvas is resized, unless the user has moved the view since.
 * Otherwise keeps the center of the view in the center. A banner above the canvas moves nothing.
 * Returns a function that reports a fitted
 * view.
 */
export function useRefitOnResize(): (view: Viewport, again: () => Promise<void>) => void {
  const store = useStoreApi();
  const { setViewport } = useReactFlow();
  const fitted = useRef<Fitted>(undefined);
  const box = useRef<CanvasBox>(undefined);

  useEffect(
    () =>
      store.subscribe((now, before) => {
        box.current ??= now.domNode?.getBoundingClientRect();
        const [wider, higher] = [now.width - before.width, now.height - before.height];
        // A size of zero means that the canvas is not visible.
        if ((wider === 0 && higher === 0) || before.width === 0 || now.width === 0) return;
        const [x, y, zoom] = now.transform;
        const [last, next] = [box.current, now.domNode?.getBoundingClientRect()];
        box.current = next;
        if (last && next && isBannerChange(last, next)) {
          const view = viewAfterBanner({ x, y, zoom }, last, next);
          // Still counts as fitted, so that a later resize fits it again.
          if (fitted.current && isSame(fitted.current.view, { x, y, zoom }))
            fitted.current = { ...fitted.current, view };
          void setViewport(view);
        } else if (fitted.current && isSame(fitted.current.view, { x, y, zoom }))
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
