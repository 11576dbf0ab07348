import type { DiffHunk } from "@/api/bindings";

/** Unchanged lines that are kept around a change. */
const context = 3;
/**
 * The largest table for finding common lines, in cells (16 MB). Texts that need a larger one are
 * shown as removed and added.
 */
const maxCells = 4_000_000;

interface Edit {
  kind: " " | "-" | "+";
  text: string;
}

/** Returns the difference of two texts, line by line; empty if they are equal. */
export function diffTexts(before: string, after: string): DiffHunk[] {
  return before === after ? [] : toHunks(diffLines(splitLines(before), splitLines(after)));
}

function splitLines(text: string): string[] {
  const lines = text.split("\n");
  // A final line break ends the last line; it doesn't begin an empty one.
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function diffLines(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const same = (lines: readonly string[]) => lines.map((text): Edit => ({ kind: " ", text }));
  return [
    ...same(before.slice(0, start)),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

/** The longest common subsequence, by its table of lengths. */
function diffMiddle(before: readonly string[], after: readonly string[]): Edit[] {
  const width = after.length + 1;
  const removed = before.map((text): Edit => ({ kind: "-", text }));
  const added = after.map((text): Edit => ({ kind: "+", text }));
  if ((before.length + 1) * width > maxCells) return [...removed, ...added];
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const edits: Edit[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      edits.push({ kind: " ", text: before[i] ?? "" });
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) edits.push(...removed.slice(i, ++i));
    else edits.push(...added.slice(j, ++j));
  }
  return [...edits, ...removed.slice(i), ...added.slice(j)];
}

/** Groups edits into hunks. Changes whose context would touch are in one hunk. */
function toHunks(edits: readonly Edit[]): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let current: DiffHunk | undefined;
  let sinceChange = 0;
  let oldLine = 1;
  let newLine = 1;
  edits.forEach(({ kind, text }, at) => {
    if (kind !== " ") sinceChange = 0;
    else if (++sinceChange > context && !changesWithin(edits, at)) current = undefined;
    if (!current && (kind !== " " || changesWithin(edits, at))) {
      current = { oldStart: oldLine, newStart: newLine, lines: [] };
      hunks.push(current);
    }
    current?.lines.push(kind + text);
    if (kind !== "+") oldLine++;
    if (kind !== "-") newLine++;
  });
  return hunks;
}

function changesWithin(edits: readonly Edit[], at: number): boolean {
  return edits.slice(at, at + context + 1).some(({ kind }) => kind !== " ");
}
