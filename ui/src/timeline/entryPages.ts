import type { TimelineEntry, TimelinePage } from "@/api/bindings";

/** How many entries are read at once; groups of entries never cross this border. */
export const pageSize = 50;

/** Enough for a long look back, little enough that a session of any size fits into memory. */
const maxPages = 80;
const maxCharacters = 24_000_000;
/** What is on screen stays, however large: a window is not taller than this. */
const minPages = 3;

interface Page {
  entries: Map<number, TimelineEntry>;
  /** The revision of the answer that it holds. */
  revision: number;
  /** The latest revision for which it was asked: it is not asked twice for one, whatever the answer was. */
  askedFor: number;
  /** How long the timeline was then. */
  total: number;
  characters: number;
}

/** The first entry of the page that holds `seq`. */
export function pageStart(seq: number): number {
  return seq - (seq % pageSize);
}

/**
 * The pages of a timeline that are in memory, by their first entry. The page that was wanted longest ago leaves first.
 * Knows nothing of where pages come from.
 */
export class EntryPages {
  readonly #pages = new Map<number, Page>();

  get size(): number {
    return this.#pages.size;
  }

  entry(seq: number): TimelineEntry | undefined {
    return this.#pages.get(pageStart(seq))?.entries.get(seq);
  }

  /** The revision at which the page was read; `undefined` when it is not here. */
  revision(start: number): number | undefined {
    return this.#pages.get(start)?.revision;
  }

  /** Whether the page must be read, or read again, to show a timeline of `total` entries as of `revision`. */
  lacks(start: number, total: number, revision: number): boolean {
    const page = this.#pages.get(start);
    if (!page || page.askedFor < revision) return true;
    return page.total < Math.min(start + pageSize, total);
  }

  /**
   * Takes in an answer to a request for the page that begins at `start`, made when the timeline was at `askedFor`.
   * What the answer leaves out stays as it was; an answer that a newer one overtook changes nothing.
   */
  put(start: number, answer: TimelinePage, askedFor: number): void {
    const known = this.#pages.get(start);
    const overtaken = known !== undefined && known.revision > answer.revision;
    const entries = new Map(known?.entries);
    for (const entry of overtaken ? [] : answer.entries) {
      if (pageStart(entry.seq) === start) entries.set(entry.seq, entry);
    }
    this.#pages.delete(start);
    this.#pages.set(start, {
      entries,
      revision: Math.max(known?.revision ?? 0, answer.revision),
      askedFor: Math.max(askedFor, answer.revision),
      total: Math.max(known?.total ?? 0, answer.total),
      characters: overtaken ? known.characters : countCharacters(entries.values()),
    });
    this.#forget();
  }

  clear(): void {
    this.#pages.clear();
  }

  /** Marks pages as wanted now, so that others leave before them. */
  touch(starts: readonly number[]): void {
    for (const start of starts) {
      const page = this.#pages.get(start);
      if (!page) continue;
      this.#pages.delete(start);
      this.#pages.set(start, page);
    }
  }

  #forget(): void {
    let characters = 0;
    for (const page of this.#pages.values()) characters += page.characters;
    for (const [start, page] of this.#pages) {
      const fits = this.#pages.size <= maxPages && characters <= maxCharacters;
      if (fits || this.#pages.size <= minPages) return;
      this.#pages.delete(start);
      characters -= page.characters;
    }
  }
}

/** Roughly how much text the entries hold; inputs of tools count as nothing, they are short beside outputs. */
function countCharacters(entries: Iterable<TimelineEntry>): number {
  let sum = 0;
  for (const { kind } of entries) {
    if ("text" in kind) sum += kind.text.length;
    else if (kind.type === "toolCall") sum += kind.result?.text.length ?? 0;
    else if (kind.type === "text") sum += kind.markdown.length;
    else if (kind.type === "unknown") sum += kind.raw.length;
  }
  return sum;
}
