import type { FileDiffView } from "@/api/bindings";
import { type DiffRow, diffRows } from "@/attempt/diffRows";
import { type CommentedLines, commentedLines, type ReviewComment } from "./reviewComment";

/** A comment at its place in the shown diff. */
export interface PlacedComment {
  comment: ReviewComment;
  /** Its lines have changed since it was written. */
  outdated: boolean;
  /** The row below which it is shown; undefined if its lines aren't in the diff. */
  row: number | undefined;
}

/** Returns the rows of a file's diff; none while its content isn't shown. */
export function rowsOfFile(file: FileDiffView | undefined): DiffRow[] {
  return file?.content.kind === "hunks" ? diffRows(file.content.hunks) : [];
}

/**
 * Finds a comment in the diff with the id `head`. In another diff than its own, it follows its
 * lines if they are there unchanged, and is outdated if they are not.
 */
export function placeComment(
  comment: ReviewComment,
  rows: readonly DiffRow[],
  head: string,
): PlacedComment {
  const places = placesOf(comment, rows);
  const own = places.find(({ lines }) => isSamePlace(comment, lines));
  if (own) return { comment, outdated: false, row: own.row };
  if (comment.head === head) return { comment, outdated: false, row: undefined };
  const [only, another] = places;
  if (!only || another) return { comment, outdated: true, row: undefined };
  return { comment: { ...comment, ...only.lines }, outdated: false, row: only.row };
}

/** All places where the lines of a comment are in a file. */
function placesOf(comment: ReviewComment, rows: readonly DiffRow[]) {
  const count = comment.lines.length;
  const wanted = comment.lines.map(contentOf);
  return rows.flatMap((_, at): { lines: CommentedLines; row: number }[] => {
    if (at + count > rows.length) return [];
    const lines = commentedLines(rows, at, at + count - 1);
    const isIt = lines?.lines.every((line, index) => contentOf(line) === wanted[index]);
    return lines && isIt ? [{ lines, row: at + count - 1 }] : [];
  });
}

/** A line is the same whether it was added or was there before. */
function contentOf(line: string): string {
  return (line.startsWith("-") ? "-" : " ") + line.slice(1);
}

function isSamePlace(one: CommentedLines, other: CommentedLines): boolean {
  return one.new || other.new
    ? one.new?.first === other.new?.first
    : one.old?.first === other.old?.first;
}
