import type { TranscriptsSort } from "@/api/bindings";

/** A column of the list; a press on its head orders by the first of its sorts, another one by the next. */
export interface SessionColumn {
  label: string;
  sorts: readonly TranscriptsSort[];
  numeric?: boolean;
  /** Hidden in lists narrower than that. */
  from?: keyof typeof columnVisibility;
}

/** Columns that a narrow list does without: 35 rem make it narrow and no longer small, 55 medium, 76 wide. */
export const columnVisibility = {
  narrow: "hidden @min-[35rem]:block",
  medium: "hidden @min-[55rem]:block",
  wide: "hidden @min-[76rem]:flex",
} as const;

export const sessionColumns: readonly SessionColumn[] = [
  { label: "Title", sorts: ["title"] },
  { label: "Project", sorts: [], from: "narrow" },
  { label: "When", sorts: ["latest", "oldest"] },
  { label: "Length", sorts: ["longest"], numeric: true, from: "medium" },
  { label: "Messages", sorts: ["messages"], numeric: true, from: "medium" },
  { label: "Tokens", sorts: ["tokens"], numeric: true },
  { label: "Cost", sorts: ["cost"], numeric: true, from: "narrow" },
  { label: "Tags", sorts: [], from: "wide" },
];

/** The widths of the columns, with the star before and the node behind them. The same for head and rows. */
export const columnWidths =
  "grid grid-cols-[--spacing(9)_minmax(0,1fr)_--spacing(22)_--spacing(18)_--spacing(18)] @min-[35rem]:grid-cols-[--spacing(9)_minmax(0,1fr)_--spacing(28)_--spacing(22)_--spacing(18)_--spacing(18)_--spacing(18)] @min-[55rem]:grid-cols-[--spacing(9)_minmax(0,1fr)_--spacing(32)_--spacing(24)_--spacing(22)_--spacing(19)_--spacing(18)_--spacing(19)_--spacing(19)] @min-[76rem]:grid-cols-[--spacing(9)_minmax(0,1fr)_minmax(--spacing(32),0.35fr)_--spacing(27.5)_--spacing(24)_--spacing(21)_--spacing(21)_--spacing(21)_minmax(--spacing(30),0.25fr)_--spacing(21)]";

/** The order that a press on the head leads to: the next of the column's, and behind the last one the usual order. */
export function nextSort(column: SessionColumn, now: TranscriptsSort): TranscriptsSort {
  const at = column.sorts.indexOf(now);
  return column.sorts[at + 1] ?? "latest";
}

/** What a screen reader says of the column's order. Figures come largest first, titles from A on. */
export function ariaSort(
  column: SessionColumn,
  now: TranscriptsSort,
): "ascending" | "descending" | undefined {
  if (!column.sorts.includes(now)) return undefined;
  return now === "title" || now === "oldest" ? "ascending" : "descending";
}
