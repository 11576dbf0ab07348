import { defaultFilter } from "cmdk";

/** The parts of an entry that are searched and ranked. */
export interface RankableEntry {
  label: string;
  keywords?: string | undefined;
  /** Why it can't be chosen; such entries rank lower. */
  refusal?: string | undefined;
  /** Its rank among the recently chosen entries, 0 for the latest. */
  recent?: number | undefined;
}

const disabledFactor = 0.5;
const outOfOrderFactor = 0.8;
/** A match at the start of the label outweighs recent use. */
const prefixFactor = 1.5;
/** A match at the start of a later word of the label outweighs one in its keywords. */
const wordFactor = 1.2;

/** The entries that match a search, best first, at most `most`. Equal matches keep their order. */
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
  // A cheap check first: it rules out most of ten thousand nodes at a hundredth of the cost of
  // scoring.
  if (!containsLetters(text.toLowerCase(), wanted)) return 0;
  const fits = matchScore(label, keywords, wanted) || anyOrderScore(label, keywords, wanted);
  const lately = recent === undefined ? 1 : 1 + 0.3 / (1 + recent);
  return (
    fits *
    lately *
    labelFactor(label.toLowerCase(), wanted) *
    (refusal === undefined ? 1 : disabledFactor)
  );
}

function labelFactor(label: string, wanted: string): number {
  if (label.startsWith(wanted)) return prefixFactor;
  return label.includes(` ${wanted}`) ? wordFactor : 1;
}

function matchScore(label: string, keywords: string | undefined, wanted: string): number {
  return defaultFilter(label, wanted, keywords ? [keywords] : []);
}

/** "blueprint approve" finds "Approve blueprint", ranked below matches in the given order. */
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
