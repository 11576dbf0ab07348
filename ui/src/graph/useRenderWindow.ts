import { useStoreApi } from "@xyflow/react";
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from "react";
import { type CanvasViewport, computeRenderWindow, type RenderWindow } from "./renderWindow";
import type { Scene } from "./scene";

/** How long nothing may move until the view is at rest, in milliseconds. */
const restDelayMs = 140;

/** The view as React Flow has it; nothing as long as the canvas has no size. */
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
 * What of the plan is made of elements, for the view as it is. Draws anew only when that changes, never for a mere
 * move of the view. Nothing before the canvas is `opened`: where it stands until then is nobody's wish.
 */
export function useRenderWindow(scene: Scene, opened: boolean): RenderWindow | undefined {
  const store = useStoreApi();
  const [renderWindow, setRenderWindow] = useState<RenderWindow>();
  const look = useEffectEvent((resting: boolean) => {
    const view = viewportOf(store.getState());
    if (view && opened)
      setRenderWindow((before) => computeRenderWindow(scene, view, before, resting));
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another scene is another look
  useLayoutEffect(() => look(true), [scene, opened]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = store.subscribe((now, before) => {
      const { transform, width, height } = before;
      if (now.transform === transform && now.width === width && now.height === height) return;
      look(width === 0);
      clearTimeout(timer);
      timer = setTimeout(() => look(true), restDelayMs);
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [store]);

  // A sight is of the scene that it was taken in. That of one card would make elements of all 10,000 nodes that come out of it.
  return useMemo(() => {
    const view = viewportOf(store.getState());
    return renderWindow && view ? computeRenderWindow(scene, view, renderWindow) : renderWindow;
  }, [store, scene, renderWindow]);
}
