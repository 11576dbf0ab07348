import type { ReactElement } from "react";
import { classes } from "@/components/classes";

/** The method of an operation. The color only repeats what the word says. */
export function MethodName({ method }: { method: string }): ReactElement {
  return (
    <span
      className={classes(
        "w-14 shrink-0 font-medium font-mono text-11",
        method === "GET" ? "text-muted" : method === "DELETE" ? "text-danger-fg" : "text-accent-fg",
      )}
    >
      {method}
    </span>
  );
}
