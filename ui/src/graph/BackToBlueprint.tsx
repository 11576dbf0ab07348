import { useStore } from "@xyflow/react";
import { Undo2 } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "@/components/Button";
import { useBlueprint } from "@/plan/blueprintContext";
import { visibleArea } from "./renderWindow";
import { nodesIn, type Scene } from "./scene";
import { viewportOf } from "./useRenderWindow";

/** A way back when the view shows nothing of the blueprint. */
export function BackToBlueprint({ scene }: { scene: Scene }): ReactElement | null {
  const { page } = useBlueprint();
  const isLost = useStore((state) => {
    const view = viewportOf(state);
    return (
      view !== undefined &&
      scene.nodes.length > 0 &&
      nodesIn(scene, visibleArea(view), 1).length === 0
    );
  });
  if (!isLost) return null;
  return (
    <div className="pointer-events-none absolute inset-0 flex items-center justify-center">
      <Button className="pointer-events-auto" onClick={() => page.getState().canvas?.fit()}>
        <Undo2 aria-hidden="true" />
        Back to the blueprint
      </Button>
    </div>
  );
}
