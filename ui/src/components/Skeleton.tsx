import type { ReactElement } from "react";

/** Holds the place of text that is being read. Still, so that a slow disk does not make the window restless. */
export function Skeleton({ width = "100%" }: { width?: string | number }): ReactElement {
  return (
    <span
      aria-hidden="true"
      style={{ width }}
      className="my-1 block h-3 max-w-full rounded-small bg-active"
    />
  );
}
