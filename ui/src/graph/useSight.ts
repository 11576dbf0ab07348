import { useStoreApi } from "@xyflow/react";
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from "react";
import type { Scene } from "./scene";
import { type Sight, sightOf, type View } from "./sight";

/** How long nothing may move until the view is at rest, in milliseconds. */
const rest = 140;

/** The view as React Flow has it; nothing as long as the canvas has no size. */
export function viewOf({
  transform: [x, y, zoom],
  width,
  height,
}: {
  transform: [number, number, number];
  width: number;
  height: number;
}): View | undefined {
  return width > 0 && height > 0 ? { x, y, zoom, width, height } : undefined;
}

/**
 * What of the plan is made of elements, for the view as it is. Draws anew only when that changes, never for a mere
 * move of the view. Nothing before the canvas is `opened`: where it stands until then is nobody's wish.
 */
export function useSight(scene: Scene, opened: boolean): Sight | undefined {
  const store = useStoreApi();
  const [sight, setSight] = useState<Sight>();
  const look = useEffectEvent((resting: boolean) => {
    const view = viewOf(store.getState());
    if (view && opened) setSight((before) => sightOf(scene, view, before, resting));
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
      timer = setTimeout(() => look(true), rest);
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [store]);

  // A sight is of the scene that it was taken in. That of one card would make elements of all 10,000 nodes that come out of it.
  return useMemo(() => {
    const view = viewOf(store.getState());
    return sight && view ? sightOf(scene, view, sight) : sight;
  }, [store, scene, sight]);
}
