import { ViewportPortal } from "@xyflow/react";
import type { ReactElement } from "react";
import { usePage } from "@/plan/blueprintContext";
import { looseEdgePath } from "./looseEdge";
import type { Scene } from "./scene";

/** Keeps an edge that was dropped on the empty canvas in view until its node is chosen. */
export function LooseEdge({ scene }: { scene: Scene }): ReactElement | null {
  const path = looseEdgePath(
    scene,
    usePage((state) => state.picker),
  );
  if (path === undefined) return null;
  return (
    <ViewportPortal>
      <svg aria-hidden="true" className="loose-edge">
        <path d={path} className="drawn-edge" />
      </svg>
    </ViewportPortal>
  );
}
