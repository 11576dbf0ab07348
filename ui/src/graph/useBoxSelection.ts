import { useStoreApi } from "@xyflow/react";
import { type RefObject, useEffect, useEffectEvent } from "react";
import type { NodeId } from "@/api/bindings";
import { useBlueprint } from "@/plan/blueprintContext";
import type { Rectangle } from "@/plan/geometry";
import { maxNodesWithoutCulling } from "./renderWindow";
import { nodesIn, type Scene } from "./scene";
import type { PointerGesture } from "./useCancelableGesture";

/** The nodes in a box of pixels, also in part, where the view stands as it does. Pure. */
export function nodesInBox(
  scene: Scene,
  box: Rectangle,
  [x, y, zoom]: readonly [number, number, number],
): NodeId[] {
  const found = nodesIn(scene, {
    x: (box.x - x) / zoom,
    y: (box.y - y) / zoom,
    width: box.width / zoom,
    height: box.height / zoom,
  });
  return found.flatMap((number) => scene.nodes[number]?.id ?? []);
}

/**
 * Selects what lies in the box that a person draws, also nodes of which there is no element. React Flow selects the
 * elements among them just before. With Shift, Ctrl or Cmd it adds.
 */
export function useBoxSelection(scene: Scene, held: RefObject<PointerGesture | undefined>): void {
  const { editor } = useBlueprint();
  const store = useStoreApi();
  const choose = useEffectEvent(() => {
    const { userSelectionRect: box, transform } = store.getState();
    if (!box || scene.nodes.length <= maxNodesWithoutCulling) return;
    const before = held.current?.adds ? held.current.nodes : [];
    editor.getState().select([...before, ...nodesInBox(scene, box, transform)]);
  });

  useEffect(
    () =>
      store.subscribe((now, before) => {
        if (now.userSelectionActive && now.userSelectionRect !== before.userSelectionRect) choose();
      }),
    [store],
  );
}
