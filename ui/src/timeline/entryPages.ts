import type { TimelineEntry, TimelinePage } from "@/api/bindings";

/** Entries per request. Groups of entries never cross a page boundary. */
export const pageSize = 50;

/** Enough to scroll back a long way, and a bound on memory for sessions of any size. */
const maxPages = 80;
const maxCharacters = 24_000_000;
/**
 * The pages on screen stay in memory regardless of their size. A window shows at most this many.
 */
const minPages = 3;

interface Page {
  entries: Map<number, TimelineEntry>;
  /** The revision of the response. */
  revision: number;
  /** The latest revision it was requested for. It is not requested twice for the same one. */
  askedFor: number;
  /** The length of the timeline at that time. */
  total: number;
  characters: number;
}

/** Returns the first entry of the page that contains `seq`. */
export function pageStart(seq: number): number {
  return seq - (seq % pageSize);
}

/**
 * The loaded pages of a timeline by their first entry, as a least-recently-used cache. Does not
 * load pages itself.
 */
export class EntryPages {
  readonly #pages = new Map<number, Page>();

  get size(): number {
    return this.#pages.size;
  }

  entry(seq: number): TimelineEntry | undefined {
    return this.#pages.get(pageStart(seq))?.entries.get(seq);
  }

  /** The revision at which the page was loaded; `undefined` when it is not in memory. */
  revision(start: number): number | undefined {
    return this.#pages.get(start)?.revision;
  }

  /**
   * Returns whether the page must be loaded or reloaded to show a timeline of `total` entries as of
   * `revision`.
   */
  lacks(start: number, total: number, revision: number): boolean {
    const page = this.#pages.get(start);
    if (!page || page.askedFor < revision) return true;
    return page.total < Math.min(start + pageSize, total);
  }

  /**
   * Stores the response for the page that begins at `start`, requested when the timeline was at
   * revision `askedFor`. Entries that the response omits stay unchanged. A response older than the
   * stored one changes no entries.
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

  /** Marks pages as recently used, so others are evicted first. */
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

/**
 * Estimates the size of the entries. Tool inputs are not counted, because they are short compared
 * to outputs.
 */
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
