import { useStoreApi } from "@xyflow/react";
import { useEffect, useEffectEvent } from "react";
import { useBlueprint } from "@/blueprint/blueprintContext";
import { nodesIn, type Scene } from "./scene";
import { mostWhole } from "./sight";

/**
 * Selects what lies in the box that a person draws, also nodes of which there is no element. React Flow selects the
 * elements among them just before.
 */
export function useBox(scene: Scene): void {
  const { editor } = useBlueprint();
  const store = useStoreApi();
  const choose = useEffectEvent(() => {
    const { userSelectionRect: box, transform } = store.getState();
    if (!box || scene.nodes.length <= mostWhole) return;
    const [x, y, zoom] = transform;
    const found = nodesIn(scene, {
      x: (box.x - x) / zoom,
      y: (box.y - y) / zoom,
      width: box.width / zoom,
      height: box.height / zoom,
    });
    editor.getState().select(found.flatMap((number) => scene.nodes[number]?.id ?? []));
  });

  useEffect(
    () =>
      store.subscribe((now, before) => {
        if (now.userSelectionActive && now.userSelectionRect !== before.userSelectionRect) choose();
      }),
    [store],
  );
}
