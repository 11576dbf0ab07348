import { type EntryFilter, matchesFilter } from "./entryFilters";
import type { ReadRange } from "./SessionFeed";
import { scanEntries } from "./scanEntries";

/** What a filter has found so far. Immutable: every change creates a new object. */
export interface FilterState {
  /** The numbers of the matching entries, ascending. */
  seqs: readonly number[];
  /** Scanned range: from this entry (inclusive) to `scannedTo` (exclusive). */
  scannedFrom: number;
  scannedTo: number;
  working: boolean;
}

/** The number of entries scanned before the user has to ask for more. */
const scanChunkSize = 20_000;

/**
 * Finds the entries that match a filter, from the end backwards, without loading the whole session.
 */
export class FilterScan {
  readonly #listeners = new Set<() => void>();
  readonly #read: ReadRange;
  readonly #filter: EntryFilter;
  #state: FilterState;
  #stopped = false;

  constructor(read: ReadRange, filter: EntryFilter, total: number) {
    this.#read = read;
    this.#filter = filter;
    this.#state = { seqs: [], scannedFrom: total, scannedTo: total, working: false };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): FilterState => this.#state;

  stop(): void {
    this.#stopped = true;
  }

  /**
   * Scans the next chunk of earlier entries. A failed read ends the chunk early; the next call
   * resumes there.
   */
  async back(): Promise<void> {
    const { scannedFrom, working } = this.#state;
    if (working || scannedFrom === 0) return;
    this.#stopped = false;
    const until = Math.max(0, scannedFrom - scanChunkSize);
    await this.#scan(scannedFrom - 1, -1, scannedFrom, (found, at) => ({
      seqs: [...found.toReversed(), ...this.#state.seqs],
      scannedFrom: at,
      done: at <= until,
    }));
  }

  /** Scans entries that were added since the last scan. */
  async forward(total: number): Promise<void> {
    const { scannedTo, working } = this.#state;
    if (working || scannedTo >= total) return;
    await this.#scan(scannedTo, 1, total, (found, at) => ({
      seqs: [...this.#state.seqs, ...found],
      scannedTo: at + 1,
      done: false,
    }));
  }

  async #scan(
    from: number,
    step: 1 | -1,
    total: number,
    take: (found: number[], at: number) => Partial<FilterState> & { done: boolean },
  ): Promise<void> {
    this.#set({ working: true });
    try {
      for await (const { entries, at } of scanEntries(this.#read, from, step, total)) {
        if (this.#stopped) return;
        const found = entries.filter((entry) => matchesFilter(this.#filter, entry));
        const { done, ...change } = take(
          found.map((entry) => entry.seq),
          at,
        );
        this.#set(change);
        if (done) break;
      }
    } catch {
      // The feed fails the same way and shows the error.
    } finally {
      this.#set({ working: false });
    }
  }

  #set(change: Partial<FilterState>): void {
    this.#state = { ...this.#state, ...change };
    for (const notify of this.#listeners) notify();
  }
}
