import type { LineRange } from "@/api/bindings";
import type { DiffLine, DiffRow } from "@/attempt/diffRows";

/** A comment that was not sent yet. It keeps its lines, which tell later whether they changed. */
export interface ReviewComment {
  id: number;
  path: string;
  /** The lines before and after the change; null if they are only on the other side. */
  old: LineRange | null;
  new: LineRange | null;
  /** Each line begins with its sign. */
  lines: string[];
  text: string;
  /** The commit or tree with the change that the comment was written for. */
  head: string;
}

/** What a comment says about where it belongs. */
export type CommentedLines = Pick<ReviewComment, "old" | "new" | "lines">;

const signs = { same: " ", added: "+", removed: "-" } as const;

/**
 * Returns the lines of the diff between two rows. They must not be interrupted by omitted lines;
 * undefined if they are.
 */
export function commentedLines(
  rows: readonly DiffRow[],
  from: number,
  to: number,
): CommentedLines | undefined {
  const chosen = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  const lines = chosen.filter((row): row is DiffLine => row.kind !== "gap");
  if (lines.length === 0 || lines.length < chosen.length) return undefined;
  return {
    old: rangeOf(lines.map(({ oldLine }) => oldLine)),
    new: rangeOf(lines.map(({ newLine }) => newLine)),
    lines: lines.map(({ kind, text }) => signs[kind] + text),
  };
}

function rangeOf(numbers: (number | undefined)[]): LineRange | null {
  const known = numbers.filter((number) => number !== undefined);
  const [first, last] = [known[0], known.at(-1)];
  return first === undefined || last === undefined ? null : { first, last };
}

/** Names the lines of a comment: "line 4", "lines 4-6", "removed line 9". */
export function describeLines({ old, new: after }: Pick<ReviewComment, "old" | "new">): string {
  const range = after ?? old;
  if (!range) return "the file";
  const { first, last } = range;
  const text = first === last ? `line ${first}` : `lines ${first}-${last}`;
  return after ? text : `removed ${text}`;
}
