import type { DiffHunk } from "@/api/bindings";

/** One row of a rendered diff; a `gap` replaces omitted unchanged lines. */
export type DiffRow = DiffLine | { kind: "gap" };

/** A line of a diff. Its numbers are missing when its place in the file is unknown. */
export interface DiffLine {
  kind: "same" | "added" | "removed";
  oldLine?: number;
  newLine?: number;
  text: string;
}

/** Returns the rows of a unified diff with their line numbers before and after. */
export function diffRows(hunks: readonly DiffHunk[]): DiffRow[] {
  return hunks.flatMap((hunk, at) => [
    ...(at > 0 ? [{ kind: "gap" } as const] : []),
    ...hunkLines(hunk),
  ]);
}

/** Returns the lines of one hunk. */
export function hunkLines({ oldStart, newStart, lines }: DiffHunk): DiffLine[] {
  const isPlaced = oldStart > 0 || newStart > 0;
  let oldLine = oldStart;
  let newLine = newStart;
  return lines.flatMap((line): DiffLine[] => {
    const text = line.slice(1);
    switch (line[0]) {
      case "+":
        return [{ kind: "added", ...(isPlaced && { newLine: newLine++ }), text }];
      case "-":
        return [{ kind: "removed", ...(isPlaced && { oldLine: oldLine++ }), text }];
      // "\ No newline at end of file" is a marker, not a line.
      case "\\":
        return [];
      default:
        return isPlaced
          ? [{ kind: "same", oldLine: oldLine++, newLine: newLine++, text }]
          : [{ kind: "same", text }];
    }
  });
}

/**
 * Identifies a line of a file's diff by side and number: "old:12" for a removed line, "new:12" for
 * others. `undefined` when its number is unknown.
 */
export function diffLineKey({ kind, oldLine, newLine }: DiffLine): string | undefined {
  const [side, line] = kind === "removed" ? ["old", oldLine] : ["new", newLine];
  return line === undefined ? undefined : `${side}:${line}`;
}

/** Counts the added and removed lines. */
export function diffSize(hunks: readonly DiffHunk[]): { added: number; removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}
