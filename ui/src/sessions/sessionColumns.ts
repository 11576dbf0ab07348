import type { TranscriptsSort } from "@/api/bindings";

/** A column of the list; a press on its head orders by the first of its sorts, another one by the next. */
export interface SessionColumn {
  label: string;
  sorts: readonly TranscriptsSort[];
  numeric?: boolean;
  /** Hidden in windows too narrow for it. */
  wide?: boolean;
}

export const sessionColumns: readonly SessionColumn[] = [
  { label: "Title", sorts: ["title"] },
  { label: "Project", sorts: [] },
  { label: "When", sorts: ["latest", "oldest"] },
  { label: "Length", sorts: ["longest"], numeric: true },
  { label: "Messages", sorts: ["messages"], numeric: true },
  { label: "Tokens", sorts: ["tokens"], numeric: true },
  { label: "Cost", sorts: ["cost"], numeric: true },
  { label: "Tags", sorts: [], wide: true },
];

/** The widths of the columns, with the star before and the node behind them. The same for head and rows. */
export const columnWidths =
  "grid grid-cols-[36px_minmax(0,1fr)_128px_96px_88px_76px_72px_76px_76px] xl:grid-cols-[36px_minmax(0,1fr)_minmax(128px,0.35fr)_110px_96px_84px_84px_84px_minmax(120px,0.25fr)_84px]";

/** The order that a press on the head leads to: the next of the column's, and behind the last one the usual order. */
export function nextSort(column: SessionColumn, now: TranscriptsSort): TranscriptsSort {
  const at = column.sorts.indexOf(now);
  return column.sorts[at + 1] ?? "latest";
}

/** What a screen reader says of the column's order. Figures come largest first, titles from A on. */
export function sortedAs(
  column: SessionColumn,
  now: TranscriptsSort,
): "ascending" | "descending" | undefined {
  if (!column.sorts.includes(now)) return undefined;
  return now === "title" || now === "oldest" ? "ascending" : "descending";
}
