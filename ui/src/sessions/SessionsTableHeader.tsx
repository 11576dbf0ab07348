// biome-ignore-all lint/a11y/useSemanticElements: table rows can't be positioned individually
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and references its active row
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactElement } from "react";
import type { TranscriptsSort } from "@/api/bindings";
import { classes } from "@/components/classes";
import {
  ariaSort,
  columnVisibility,
  columnWidths,
  nextSort,
  type SessionColumn,
  sessionColumns,
} from "./sessionColumns";

export interface SessionsTableHeaderProps {
  sort: TranscriptsSort;
  /** `undefined` during a full-text search, whose results are ordered by relevance. */
  onSort: ((sort: TranscriptsSort) => void) | undefined;
}

/** The column headers. Clicking one sorts by it. */
export function SessionsTableHeader({ sort, onSort }: SessionsTableHeaderProps): ReactElement {
  return (
    <div role="rowgroup" className="sticky top-0 z-10">
      <div
        role="row"
        aria-rowindex={1}
        className={classes(columnWidths, "h-7 items-center border-b bg-surface text-12 text-faint")}
      >
        <span role="columnheader">
          <span className="sr-only">Star</span>
        </span>
        {sessionColumns.map((column) => (
          <ColumnHeader key={column.label} {...{ column, sort, onSort }} />
        ))}
        <span role="columnheader" className="truncate px-2 font-medium">
          Node
        </span>
      </div>
    </div>
  );
}

function ColumnHeader({
  column,
  sort,
  onSort,
}: SessionsTableHeaderProps & { column: SessionColumn }) {
  const direction = onSort && ariaSort(column, sort);
  return (
    <span
      role="columnheader"
      aria-sort={direction}
      className={classes(
        "truncate px-2 font-medium",
        column.numeric && "text-right",
        column.from && columnVisibility[column.from],
      )}
    >
      {onSort && column.sorts.length > 0 ? (
        <button
          type="button"
          onClick={() => onSort(nextSort(column, sort))}
          className={classes(
            "-mx-1 inline-flex h-6 items-center gap-1 rounded-small px-1 hover:text-fg",
            direction && "text-fg",
          )}
        >
          {column.label}
          {direction === "ascending" && <ArrowUp className="size-3" aria-hidden="true" />}
          {direction === "descending" && <ArrowDown className="size-3" aria-hidden="true" />}
        </button>
      ) : (
        column.label
      )}
    </span>
  );
}
