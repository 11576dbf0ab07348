import type { ReactElement } from "react";
import type { Colour } from "@/api/bindings";

/** A colour of the canvas beside its name. */
export function Swatch({ colour }: { colour: Colour }): ReactElement {
  return (
    <span
      aria-hidden="true"
      data-colour={colour}
      className="canvas-colour size-3 rounded-full border"
    />
  );
}
