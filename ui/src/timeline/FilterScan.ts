import { type EntryFilter, matchesFilter } from "./entryFilters";
import type { ReadRange } from "./SessionFeed";
import { scanEntries } from "./scanEntries";

/** What a filter has found so far. A new object whenever anything changed. */
export interface FilterState {
  /** The numbers of the entries that pass, in order. */
  seqs: readonly number[];
  /** Everything from here on was looked at. */
  lookedFrom: number;
  lookedTo: number;
  working: boolean;
}

/** How many entries are looked at before the person is asked whether to look further back. */
const scanChunkSize = 20_000;

/** Finds the entries that pass a filter, from the end backwards, without loading the whole session. */
export class FilterScan {
  readonly #listeners = new Set<() => void>();
  readonly #read: ReadRange;
  readonly #filter: EntryFilter;
  #state: FilterState;
  #stopped = false;

  constructor(read: ReadRange, filter: EntryFilter, total: number) {
    this.#read = read;
    this.#filter = filter;
    this.#state = { seqs: [], lookedFrom: total, lookedTo: total, working: false };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): FilterState => this.#state;

  stop(): void {
    this.#stopped = true;
  }

  /** Looks at the next stretch before what was looked at. A failed read ends the stretch early; asking again goes on. */
  async back(): Promise<void> {
    const { lookedFrom, working } = this.#state;
    if (working || lookedFrom === 0) return;
    this.#stopped = false;
    const until = Math.max(0, lookedFrom - scanChunkSize);
    await this.#look(lookedFrom - 1, -1, lookedFrom, (found, at) => ({
      seqs: [...found.toReversed(), ...this.#state.seqs],
      lookedFrom: at,
      done: at <= until,
    }));
  }

  /** Looks at what was added since. */
  async forward(total: number): Promise<void> {
    const { lookedTo, working } = this.#state;
    if (working || lookedTo >= total) return;
    await this.#look(lookedTo, 1, total, (found, at) => ({
      seqs: [...this.#state.seqs, ...found],
      lookedTo: at + 1,
      done: false,
    }));
  }

  async #look(
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
      // The feed meets the same failure and shows it.
    } finally {
      this.#set({ working: false });
    }
  }

  #set(change: Partial<FilterState>): void {
    this.#state = { ...this.#state, ...change };
    for (const tell of this.#listeners) tell();
  }
}
