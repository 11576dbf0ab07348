import type { ReferenceableNode } from "./referenceExtension";

/** What a condition may look at, as pieces that are put into its text. Pure. */
interface ConditionPiece {
  /** What is put in. */
  text: string;
  /** What it means. */
  meaning: string;
}

export interface PieceGroup {
  title: string;
  pieces: readonly ConditionPiece[];
}

const ofLoop: PieceGroup = {
  title: "This loop",
  pieces: [
    { text: "iteration", meaning: "how often it has run, from 1" },
    { text: 'result != "done"', meaning: "what the last iteration gave" },
    { text: "results", meaning: "what all of them gave" },
  ],
};

const always: PieceGroup = {
  title: "Fixed",
  pieces: [
    { text: "true", meaning: "always" },
    { text: "false", meaning: "never" },
  ],
};

/** The pieces for a condition that may look at these nodes; that of a loop also at its own iterations. */
export function conditionPieces(
  nameable: readonly ReferenceableNode[],
  isLoop: boolean,
): PieceGroup[] {
  const nodes = nameable.map(({ slug, title, outputs }) => ({
    title,
    pieces: [
      { text: `result:${slug}`, meaning: "it was done, and its answer was not no" },
      { text: `nodes.${slug}.state == "done"`, meaning: "how it ended" },
      ...outputs.map((key) => ({ text: `nodes.${slug}.outputs.${key}`, meaning: "output" })),
      ...(outputs.length === 0
        ? [{ text: `nodes.${slug}.outputs.key == "value"`, meaning: "an output by its name" }]
        : []),
    ],
  }));
  return [...(isLoop ? [ofLoop] : []), ...nodes, always];
}

/** `text` with `piece` in place of what is selected, with a blank on each side where it would touch a word. */
export function insertPiece(
  text: string,
  piece: string,
  from: number,
  to: number,
): { text: string; caret: number } {
  // A lone `true` or `false` is what a new condition says; another piece is meant instead of it.
  if (/^\s*(true|false)?\s*$/.test(text)) return { text: piece, caret: piece.length };
  const before = text.slice(0, from);
  const after = text.slice(to);
  const left = /[\w.\])"']$/.test(before) ? `${before} ` : before;
  const right = /^[\w(["']/.test(after) ? ` ${after}` : after;
  return { text: left + piece + right, caret: left.length + piece.length };
}
