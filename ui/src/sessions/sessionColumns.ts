import type { TranscriptsSort } from "@/api/bindings";

/** A column of the list. Clicks on its header cycle through its sorts. */
export interface SessionColumn {
  label: string;
  sorts: readonly TranscriptsSort[];
  numeric?: boolean;
  /** Hidden in lists narrower than this. */
  from?: keyof typeof columnVisibility;
}

/** Classes that hide a column below a list width: narrow is 35 rem, medium 55 rem, wide 76 rem. */
export const columnVisibility = {
  narrow: "hidden @min-[35rem]:block",
  medium: "hidden @min-[55rem]:block",
  wide: "hidden @min-[76rem]:flex",
} as const;

export const sessionColumns: readonly SessionColumn[] = [
  { label: "Title", sorts: ["title"] },
  { label: "Project", sorts: [], from: "narrow" },
  { label: "When", sorts: ["latest", "oldest"] },
  { label: "Duration", sorts: ["longest"], numeric: true, from: "medium" },
  { label: "Messages", sorts: ["messages"], numeric: true, from: "medium" },
  { label: "Tokens", sorts: ["tokens"], numeric: true },
  { label: "Cost", sorts: ["cost"], numeric: true, from: "narrow" },
  { label: "Tags", sorts: [], from: "wide" },
];

/**
 * The column widths of header and rows, including the star before and the node after the other
 * columns.
 */
export const columnWidths =
  "grid grid-cols-[--spacing(9)_minmax(0,1fr)_--spacing(22)_--spacing(18)_--spacing(18)] @min-[35rem]:grid-cols-[--spacing(9)_minmax(0,1fr)_--spacing(28)_--spacing(22)_--spacing(18)_--spacing(18)_--spacing(18)] @min-[55rem]:grid-cols-[--spacing(9)_minmax(0,1fr)_--spacing(32)_--spacing(24)_--spacing(22)_--spacing(19)_--spacing(18)_--spacing(19)_--spacing(19)] @min-[76rem]:grid-cols-[--spacing(9)_minmax(0,1fr)_minmax(--spacing(32),0.35fr)_--spacing(27.5)_--spacing(24)_--spacing(21)_--spacing(21)_--spacing(21)_minmax(--spacing(30),0.25fr)_--spacing(21)]";

/**
 * Returns the sort after a click on the column header: the column's next one, or the default after
 * the last.
 */
export function nextSort(column: SessionColumn, now: TranscriptsSort): TranscriptsSort {
  const at = column.sorts.indexOf(now);
  return column.sorts[at + 1] ?? "latest";
}

/** Returns the `aria-sort` of a column. Numbers are sorted largest first, titles from A to Z. */
export function ariaSort(
  column: SessionColumn,
  now: TranscriptsSort,
): "ascending" | "descending" | undefined {
  if (!column.sorts.includes(now)) return undefined;
  return now === "title" || now === "oldest" ? "ascending" : "descending";
}
