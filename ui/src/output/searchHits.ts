import type { OutputHit } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { maxHits, type SearchProgress } from "./OutputSearchRun";

type Hits = readonly OutputHit[];

/** Compares the places of two matches. */
function compareHits(a: OutputHit, b: OutputHit): number {
  return a.row - b.row || a.start - b.start;
}

/** The index of the first match that is not before `hit`; the number of matches if there is none. */
function lowerBound(hits: Hits, hit: OutputHit): number {
  let low = 0;
  let high = hits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const candidate = hits[middle];
    if (candidate && compareHits(candidate, hit) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of a match; -1 if it isn't one of them. */
export function hitIndex(hits: Hits, hit: OutputHit | undefined): number {
  if (!hit) return -1;
  const at = lowerBound(hits, hit);
  const found = hits[at];
  return found && compareHits(found, hit) === 0 ? at : -1;
}

/** The match after or before a place; past the last one, the first follows. */
export function adjacentHit(hits: Hits, from: OutputHit, step: 1 | -1): OutputHit | undefined {
  const at = lowerBound(hits, from);
  const isOne = hitIndex(hits, from) === at;
  const next = step === 1 ? at + (isOne ? 1 : 0) : at - 1;
  return hits[(next + hits.length) % hits.length];
}

/** A place before all matches of a row. */
export function startOfRow(row: number): OutputHit {
  return { row, start: 0, end: 0 };
}

/** The matches in a row. */
export function hitsInRow(hits: Hits, row: number): Hits {
  const from = lowerBound(hits, startOfRow(row));
  let to = from;
  while (hits[to]?.row === row) to += 1;
  return hits.slice(from, to);
}

/** "3 of 1,204", "50,000+ matches", "No matches". */
export function searchStatus(progress: SearchProgress, current: number): string {
  const { hits, done, more } = progress;
  if (hits.length === 0) return done ? "No matches" : "Searching…";
  const count = more ? `${formatNumber(maxHits)}+` : formatNumber(hits.length);
  const suffix = done || more ? "" : " so far";
  if (current >= 0) return `${formatNumber(current + 1)} of ${count}${suffix}`;
  return `${count} ${hits.length === 1 ? "match" : "matches"}${suffix}`;
}
