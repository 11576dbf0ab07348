import type { ReferenceableNode } from "./referenceExtension";

/** Snippets to insert into a condition. Pure. */
interface ConditionPiece {
  text: string;
  meaning: string;
}

export interface PieceGroup {
  title: string;
  pieces: readonly ConditionPiece[];
}

const ofLoop: PieceGroup = {
  title: "This loop",
  pieces: [
    { text: "iteration", meaning: "number of the iteration, from 1" },
    { text: 'result != "done"', meaning: "result of the last iteration" },
    { text: "results", meaning: "results of all iterations" },
  ],
};

const always: PieceGroup = {
  title: "Constants",
  pieces: [
    { text: "true", meaning: "always" },
    { text: "false", meaning: "never" },
  ],
};

/** Returns the snippets for a condition over these nodes, plus the iterations in a loop. */
export function conditionPieces(
  nameable: readonly ReferenceableNode[],
  isLoop: boolean,
): PieceGroup[] {
  const nodes = nameable.map(({ slug, title, outputs }) => ({
    title,
    pieces: [
      { text: `result:${slug}`, meaning: "done, and the answer isn't no" },
      { text: `nodes.${slug}.state == "done"`, meaning: "final state" },
      ...outputs.map((key) => ({ text: `nodes.${slug}.outputs.${key}`, meaning: "output" })),
      ...(outputs.length === 0
        ? [{ text: `nodes.${slug}.outputs.key == "value"`, meaning: "output by name" }]
        : []),
    ],
  }));
  return [...(isLoop ? [ofLoop] : []), ...nodes, always];
}

/** Replaces the selection with `piece`, with a space on each side if it would touch a word. */
export function insertPiece(
  text: string,
  piece: string,
  from: number,
  to: number,
): { text: string; caret: number } {
  // A bare `true` or `false` is the default of a new condition, so the piece replaces it.
  if (/^\s*(true|false)?\s*$/.test(text)) return { text: piece, caret: piece.length };
  const before = text.slice(0, from);
  const after = text.slice(to);
  const left = /[\w.\])"']$/.test(before) ? `${before} ` : before;
  const right = /^[\w(["']/.test(after) ? ` ${after}` : after;
  return { text: left + piece + right, caret: left.length + piece.length };
}
