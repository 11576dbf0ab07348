import { defaultFilter } from "cmdk";

/** What a search looks at. */
export interface RankableEntry {
  label: string;
  keywords?: string | undefined;
  /** It cannot be chosen now: behind what can. */
  refusal?: string | undefined;
  /** Its place among what was chosen lately, 0 the latest. */
  recent?: number | undefined;
}

const disabledFactor = 0.5;
const outOfOrderFactor = 0.8;
/** Whoever writes how something is called means that, and nothing that was chosen lately. */
const prefixFactor = 1.5;

/** The entries that fit a search, the best first, at most `most`. Entries that fit alike keep their order. */
export function rankEntries<Entry extends RankableEntry>(
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

function scoreOf({ label, keywords, refusal, recent }: RankableEntry, wanted: string): number {
  const text = keywords ? `${label} ${keywords}` : label;
  // Most of ten thousand nodes are out of the question, and this is a hundredth of the work of the scoring.
  if (!containsLetters(text.toLowerCase(), wanted)) return 0;
  const fits = matchScore(label, keywords, wanted) || anyOrderScore(label, keywords, wanted);
  const lately = recent === undefined ? 1 : 1 + 0.3 / (1 + recent);
  const called = label.toLowerCase().startsWith(wanted) ? prefixFactor : 1;
  return fits * lately * called * (refusal === undefined ? 1 : disabledFactor);
}

function matchScore(label: string, keywords: string | undefined, wanted: string): number {
  return defaultFilter(label, wanted, keywords ? [keywords] : []);
}

/** "blueprint approve" finds "Approve blueprint", behind what has the words in this order. */
function anyOrderScore(label: string, keywords: string | undefined, wanted: string): number {
  const parts = wanted.split(/\s+/);
  if (parts.length < 2) return 0;
  return outOfOrderFactor * Math.min(...parts.map((part) => matchScore(label, keywords, part)));
}

function containsLetters(text: string, wanted: string): boolean {
  return wanted.split(/\s+/).every((word) => {
    let at = -1;
    for (const letter of word) {
      at = text.indexOf(letter, at + 1);
      if (at < 0) return false;
    }
    return true;
  });
}
