import type { DiffHunk } from "@/api/bindings";

/** One row of a rendered diff; a `gap` replaces omitted unchanged lines. */
export type DiffRow =
  | { kind: "same" | "added" | "removed"; oldLine?: number; newLine?: number; text: string }
  | { kind: "gap" };

/** Returns the rows of a unified diff with their line numbers before and after. */
export function diffRows(hunks: readonly DiffHunk[]): DiffRow[] {
  return hunks.flatMap((hunk, at) => [
    ...(at > 0 ? [{ kind: "gap" } as const] : []),
    ...rows(hunk),
  ]);
}

function rows({ oldStart, newStart, lines }: DiffHunk): DiffRow[] {
  let oldLine = oldStart;
  let newLine = newStart;
  return lines.flatMap((line): DiffRow[] => {
    const text = line.slice(1);
    switch (line[0]) {
      case "+":
        return [{ kind: "added", newLine: newLine++, text }];
      case "-":
        return [{ kind: "removed", oldLine: oldLine++, text }];
      // "\ No newline at end of file" is a marker, not a line.
      case "\\":
        return [];
      default:
        return [{ kind: "same", oldLine: oldLine++, newLine: newLine++, text }];
    }
  });
}

/** Counts the added and removed lines. */
export function diffSize(hunks: readonly DiffHunk[]): { added: number; removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}
