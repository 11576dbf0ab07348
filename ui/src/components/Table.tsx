import type { ComponentProps, ReactElement } from "react";
import { classes } from "./classes";

/**
 * A dense table with rows of 28 px and a sticky header. The header cells set the column widths; the
 * remaining width is shared.
 */
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

/** A header cell; `sorted` marks the column by which the rows are sorted. */
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

/** A row; `interactive` when it can be clicked. */
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

/** A single-line cell. Overflow is truncated, so set `title` where that can happen. */
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
