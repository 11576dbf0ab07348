import { defaultFilter } from "cmdk";

/** What a search looks at. */
export interface Ranked {
  words: string;
  also?: string | undefined;
  /** It cannot be chosen now: behind what can. */
  refusal?: string | undefined;
  /** Its place among what was chosen lately, 0 the latest. */
  recent?: number | undefined;
}

const behind = 0.5;
const outOfOrder = 0.8;
/** Whoever writes how something is called means that, and nothing that was chosen lately. */
const asCalled = 1.5;

/** The entries that fit a search, the best first, at most `most`. Entries that fit alike keep their order. */
export function ranked<Entry extends Ranked>(
  entries: readonly Entry[],
  search: string,
  most: number,
): { best: Entry[]; found: number } {
  const wanted = search.trim().toLowerCase();
  const fitting = entries
    .map((entry) => ({ entry, score: scoreOf(entry, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  return { best: fitting.slice(0, most).map(({ entry }) => entry), found: fitting.length };
}

function scoreOf({ words, also, refusal, recent }: Ranked, wanted: string): number {
  const text = also ? `${words} ${also}` : words;
  // Most of ten thousand nodes are out of the question, and this is a hundredth of the work of the scoring.
  if (!holdsLetters(text.toLowerCase(), wanted)) return 0;
  const fits = fitOf(words, also, wanted) || inAnyOrder(words, also, wanted);
  const lately = recent === undefined ? 1 : 1 + 0.3 / (1 + recent);
  const called = words.toLowerCase().startsWith(wanted) ? asCalled : 1;
  return fits * lately * called * (refusal === undefined ? 1 : behind);
}

function fitOf(words: string, also: string | undefined, wanted: string): number {
  return defaultFilter(words, wanted, also ? [also] : []);
}

/** "plan approve" finds "Approve plan", behind what has the words in this order. */
function inAnyOrder(words: string, also: string | undefined, wanted: string): number {
  const parts = wanted.split(/\s+/);
  if (parts.length < 2) return 0;
  return outOfOrder * Math.min(...parts.map((part) => fitOf(words, also, part)));
}

function holdsLetters(text: string, wanted: string): boolean {
  return wanted.split(/\s+/).every((word) => {
    let at = -1;
    for (const letter of word) {
      at = text.indexOf(letter, at + 1);
      if (at < 0) return false;
    }
    return true;
  });
}
