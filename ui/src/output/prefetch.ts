import type { OutputWindow } from "@/api/bindings";
import type { OutputRows, RowSegment } from "./OutputRows";
import type { VisibleRows } from "./OutputViewport";

/** A window of rows, of whatever session. */
export type WindowRange = Omit<OutputWindow, "session">;

/** How many rows are read at once. */
export const pageRows = 200;

/** Fewer rows than this above or below the visible ones, and more are read. */
const reserveRows = 150;

/** A request for rows next to those that were read. */
export interface PrefetchRequest {
  key: string;
  range: WindowRange;
}

/**
 * The next rows to read around the visible ones, if any are missing. Each request includes a row
 * that was read, so that the answer joins it without a gap.
 */
export function prefetchRequest(
  rows: OutputRows,
  visible: VisibleRows | undefined,
  isDone: (key: string) => boolean,
): PrefetchRequest | undefined {
  const segment = visible && rows.locate(visible.first)?.segment;
  if (!segment) return undefined;
  const wanted = [
    visible.rowsAfter < reserveRows && !rows.isAtEnd(segment) && below(segment),
    visible.rowsBefore < reserveRows && !segment.atStart && above(segment),
  ];
  return wanted.filter((request) => request !== false).find(({ key }) => !isDone(key));
}

/** The last row that won't change anymore. */
export function lastSettled({ rows, settled }: RowSegment): number | undefined {
  return rows.findLast((row) => row.position < settled)?.position ?? rows[0]?.position;
}

function below(segment: RowSegment): PrefetchRequest {
  const position = lastSettled(segment) ?? 0;
  const anchor = { kind: "position", position } as const;
  return { key: `below ${position}`, range: { anchor, before: 0, after: pageRows + 1 } };
}

function above(segment: RowSegment): PrefetchRequest {
  const position = segment.rows[0]?.position ?? 0;
  const anchor = { kind: "position", position } as const;
  return { key: `above ${position}`, range: { anchor, before: pageRows, after: 1 } };
}
