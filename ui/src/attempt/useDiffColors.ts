import type { DiffHunk } from "@/api/bindings";
import { grammarOfPath } from "@/components/codeGrammar";
import type { CodeSpan } from "@/components/codeHighlighter";
import { useHighlightedCode } from "@/components/useHighlightedCode";
import { type DiffLine, hunkLines } from "./diffRows";

/**
 * Returns the colored parts of each line of a diff, by hunk and line. The two sides are parsed
 * apart, because a removed line is no part of the new file.
 */
export function useDiffColors(
  path: string | undefined,
  hunks: readonly DiffHunk[],
): (CodeSpan[] | undefined)[][] | undefined {
  const grammar = path === undefined ? undefined : grammarOfPath(path);
  const lines = hunks.map(hunkLines);
  const texts = grammar
    ? lines.flatMap((hunk) => [side(hunk, "added"), side(hunk, "removed")])
    : [];
  const colors = useHighlightedCode(grammar, texts);
  return (
    colors &&
    lines.map((hunk, at) => {
      const [before, after] = [colors[2 * at + 1] ?? [], colors[2 * at] ?? []];
      let [oldAt, newAt] = [0, 0];
      return hunk.map(({ kind }) => {
        const [old, fresh] = [before[oldAt], after[newAt]];
        if (kind !== "added") oldAt += 1;
        if (kind !== "removed") newAt += 1;
        return kind === "removed" ? old : fresh;
      });
    })
  );
}

function side(lines: readonly DiffLine[], own: "added" | "removed"): string {
  return lines
    .filter(({ kind }) => kind === "same" || kind === own)
    .map(({ text }) => text)
    .join("\n");
}
