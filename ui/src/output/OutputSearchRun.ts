import type { OutputHit, OutputHits } from "@/api/bindings";

/** More matches than this are not collected. */
export const maxHits = 50_000;

/** How many matches are requested at once. */
const pageLimit = 1_000;

/** Reads the matches from a position on, at most `limit`. */
export type ReadHits = (from: number, limit: number) => Promise<OutputHits>;

/** What a search found so far. */
export interface SearchProgress {
  /** In the order of the output. */
  hits: readonly OutputHit[];
  /** The whole output was searched, or the limit was reached. */
  done: boolean;
  /** There may be more matches than were collected. */
  more: boolean;
  /** Why the search stopped early. */
  error: Error | undefined;
}

/**
 * One search through an output. It begins at the viewport, so the next match is known soon, and
 * continues from the start when it has reached the end.
 */
export class OutputSearchRun {
  readonly #read: ReadHits;
  readonly #begin: number;
  readonly #onProgress: () => void;
  #below: OutputHit[] = [];
  #above: OutputHit[] = [];
  /** Everything from `#begin` to here was searched. */
  #searchedTo: number;
  #searching = false;
  #wrapped = false;
  #canceled = false;
  /** The output grew during the search; rows from here on have to be searched again. */
  #grownFrom: number | undefined;
  #progress: SearchProgress = { hits: [], done: false, more: false, error: undefined };

  constructor(read: ReadHits, begin: number, onProgress: () => void) {
    this.#read = read;
    this.#begin = begin;
    this.#searchedTo = begin;
    this.#onProgress = onProgress;
  }

  get progress(): SearchProgress {
    return this.#progress;
  }

  /** Stops; nothing is reported anymore. */
  cancel(): void {
    this.#canceled = true;
  }

  /** Searches to the end, and then from the start to where it began. */
  async start(): Promise<void> {
    await this.#searchBelow();
    if (this.#progress.error || this.#isFull()) return;
    await this.#search(async () => {
      let from = 0;
      let done = this.#begin === 0;
      while (!done && this.#mayContinue()) {
        const page = await this.#read(from, this.#limit());
        const isAbove = (hit: OutputHit) => hit.row < this.#begin;
        this.#above.push(...page.hits.filter(isAbove));
        done = page.done || page.searchedTo >= this.#begin || page.searchedTo <= from;
        from = page.searchedTo;
        if (!done) this.#report(false);
      }
      this.#wrapped = true;
    });
    if (this.#grownFrom !== undefined) await this.grow(this.#grownFrom);
  }

  /** Searches what was printed since. Rows from `settled` on may have changed. */
  async grow(settled: number): Promise<void> {
    this.#grownFrom = Math.min(settled, this.#grownFrom ?? settled);
    if (!this.#progress.done || this.#progress.more || this.#progress.error) return;
    this.#grownFrom = undefined;
    this.#searchedTo = Math.max(this.#begin, Math.min(this.#searchedTo, settled));
    this.#below = this.#below.filter((hit) => hit.row < this.#searchedTo);
    await this.#searchBelow();
  }

  #searchBelow(): Promise<void> {
    return this.#search(async () => {
      let done = false;
      while (!done && this.#mayContinue()) {
        const from = this.#searchedTo;
        const page = await this.#read(from, this.#limit());
        this.#below.push(...page.hits);
        this.#searchedTo = Math.max(from, page.searchedTo);
        done = page.done || page.searchedTo <= from;
        if (!done) this.#report(false);
      }
    });
  }

  async #search(work: () => Promise<void>): Promise<void> {
    if (this.#searching) return;
    this.#searching = true;
    try {
      await work();
      this.#report(this.#wrapped || this.#isFull());
    } catch (cause) {
      this.#report(true, cause instanceof Error ? cause : new Error(String(cause)));
    } finally {
      this.#searching = false;
    }
  }

  #report(done: boolean, error?: Error): void {
    if (this.#canceled) return;
    const hits = [...this.#above, ...this.#below];
    this.#progress = { hits, done, more: this.#isFull(), error };
    this.#onProgress();
  }

  #limit(): number {
    return Math.min(pageLimit, maxHits - this.#count());
  }

  #count(): number {
    return this.#above.length + this.#below.length;
  }

  #isFull(): boolean {
    return this.#count() >= maxHits;
  }

  #mayContinue(): boolean {
    return !this.#canceled && !this.#isFull();
  }
}
