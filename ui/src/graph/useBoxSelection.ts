import { useStoreApi } from "@xyflow/react";
import { type RefObject, useEffect, useEffectEvent } from "react";
import type { NodeId } from "@/api/bindings";
import { useBlueprint } from "@/plan/blueprintContext";
import type { Rectangle } from "@/plan/geometry";
import { maxNodesWithoutCulling } from "./renderWindow";
import { nodesIn, type Scene } from "./scene";
import type { PointerGesture } from "./useCancelableGesture";

/** The nodes that are at least partly inside a box in window pixels. Pure. */
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
 * Selects the nodes in the selection box, including those that are not rendered as elements. React
 * Flow has just selected the rendered ones. With Shift, Ctrl or Cmd, adds to the selection.
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
