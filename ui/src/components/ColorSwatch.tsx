import type { ReactElement } from "react";
import type { Color } from "@/api/bindings";

/** A color of the canvas beside its name. */
export function ColorSwatch({ colour }: { colour: Color }): ReactElement {
  return (
    <span
      aria-hidden="true"
      data-colour={colour}
      className="canvas-colour size-3 rounded-full border"
    />
  );
}
