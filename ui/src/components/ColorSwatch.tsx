import type { ReactElement } from "react";
import type { Color } from "@/api/bindings";

/** A sample of a canvas color, shown next to its name. */
export function ColorSwatch({ color }: { color: Color }): ReactElement {
  return (
    <span
      aria-hidden="true"
      data-color={color}
      className="canvas-color size-3 rounded-full border"
    />
  );
}
