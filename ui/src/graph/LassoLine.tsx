import { ViewportPortal } from "@xyflow/react";
import type { ReactElement } from "react";
import type { Position } from "@/api/bindings";

/** The outline of the lasso while it is drawn. */
export function LassoLine({ outline }: { outline: readonly Position[] }): ReactElement | null {
  if (outline.length < 2) return null;
  const path = `M${outline.map(({ x, y }) => `${x} ${y}`).join("L")}Z`;
  return (
    <ViewportPortal>
      <svg aria-hidden="true" className="lasso-line">
        <path d={path} vectorEffect="non-scaling-stroke" />
      </svg>
    </ViewportPortal>
  );
}
