import type { ComponentProps, ReactElement } from "react";
import { classes } from "./classes";

/** A dense table: rows of 28 px, a head that stays. Columns are as wide as their heads say; the rest is shared. */
export function Table({ className, ...rest }: ComponentProps<"table">): ReactElement {
  return (
    <table
      {...rest}
      className={classes(
        "w-full table-fixed border-separate border-spacing-0 text-left",
        className,
      )}
    />
  );
}

/** A heading; `sorted` marks the column that orders the rows. */
export function TableHead({
  sorted,
  className,
  ...rest
}: ComponentProps<"th"> & { sorted?: "ascending" | "descending" }): ReactElement {
  return (
    <th
      scope="col"
      aria-sort={sorted}
      {...rest}
      className={classes(
        "sticky top-0 z-10 h-7 whitespace-nowrap border-b bg-surface px-2 font-medium text-12 text-faint first:pl-4 last:pr-4",
        className,
      )}
    />
  );
}

/** A row; `interactive` when a click on it leads somewhere. */
export function TableRow({
  interactive = false,
  className,
  ...rest
}: ComponentProps<"tr"> & { interactive?: boolean }): ReactElement {
  return (
    <tr
      {...rest}
      className={classes(
        "group aria-selected:bg-accent-tint",
        interactive && "cursor-default hover:bg-hover focus-within:bg-hover",
        className,
      )}
    />
  );
}

/** A cell on one line; what does not fit is cut, so put the whole in `title` where that can happen. */
export function TableCell({
  numeric = false,
  className,
  ...rest
}: ComponentProps<"td"> & { numeric?: boolean }): ReactElement {
  return (
    <td
      {...rest}
      className={classes(
        "h-7 truncate border-b px-2 first:pl-4 last:pr-4",
        numeric && "text-right tabular-nums",
        className,
      )}
    />
  );
}
