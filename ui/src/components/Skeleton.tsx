import type { ReactElement } from "react";

/**
 * A placeholder for text that is loading. Not animated: a slow disk should not make the window
 * flicker.
 */
export function Skeleton({ width = "100%" }: { width?: string | number }): ReactElement {
  return (
    <span
      aria-hidden="true"
      style={{ width }}
      className="my-1 block h-3 max-w-full rounded-small bg-active"
    />
  );
}
