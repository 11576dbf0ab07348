import { ViewportPortal } from "@xyflow/react";
import type { ReactElement } from "react";
import type { HelperLine } from "./helperLines";

/** Guides that show what the dragged node is aligned with. */
export function HelperLines({ lines }: { lines: readonly HelperLine[] }): ReactElement | null {
  if (lines.length === 0) return null;
  return (
    <ViewportPortal>
      {lines.map(({ axis, at, from, to }) => (
        <div
          key={`${axis}${at}`}
          aria-hidden="true"
          style={
            axis === "x"
              ? { transform: `translate(${at}px,${from}px)`, height: to - from }
              : { transform: `translate(${from}px,${at}px)`, width: to - from }
          }
          className={axis === "x" ? "helper-line helper-line-down" : "helper-line"}
        />
      ))}
    </ViewportPortal>
  );
}
