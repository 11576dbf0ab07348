import { useStoreApi } from "@xyflow/react";
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from "react";
import { type CanvasViewport, computeRenderWindow, type RenderWindow } from "./renderWindow";
import type { Scene } from "./scene";

/** How long the view must not move before it counts as resting, in milliseconds. */
const restDelayMs = 140;

/** The current view; undefined while the canvas has no size. */
export function viewportOf({
  transform: [x, y, zoom],
  width,
  height,
}: {
  transform: [number, number, number];
  width: number;
  height: number;
}): CanvasViewport | undefined {
  return width > 0 && height > 0 ? { x, y, zoom, width, height } : undefined;
}

/**
 * What to render as elements for the current view. Rerenders only when that changes, not on every
 * move of the view. Undefined until the canvas is `opened`, because the view before that is
 * meaningless.
 */
export function useRenderWindow(scene: Scene, opened: boolean): RenderWindow | undefined {
  const store = useStoreApi();
  const [renderWindow, setRenderWindow] = useState<RenderWindow>();
  const update = useEffectEvent((resting: boolean) => {
    const view = viewportOf(store.getState());
    if (view && opened)
      setRenderWindow((before) => computeRenderWindow(scene, view, before, resting));
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: recompute for every scene
  useLayoutEffect(() => update(true), [scene, opened]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = store.subscribe((now, before) => {
      const { transform, width, height } = before;
      if (now.transform === transform && now.width === width && now.height === height) return;
      update(width === 0);
      clearTimeout(timer);
      timer = setTimeout(() => update(true), restDelayMs);
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [store]);

  // The window must fit the current scene. One computed while a group was a single card would
  // render all of its 10,000 nodes once it is expanded.
  return useMemo(() => {
    const view = viewportOf(store.getState());
    return renderWindow && view ? computeRenderWindow(scene, view, renderWindow) : renderWindow;
  }, [store, scene, renderWindow]);
}
