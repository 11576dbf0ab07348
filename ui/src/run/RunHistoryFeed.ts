import { ApiError } from "@/api/ApiError";
import type { HistoryRow } from "@/api/bindings";

/** Asks for the events after a number, at most so many, in their order. */
export type ReadHistory = (after: number, limit: number) => Promise<readonly HistoryRow[]>;

/** What of a history is in memory. A new object whenever anything changed. */
export interface HistoryState {
  /** The latest first, without gaps. */
  rows: readonly HistoryRow[];
  /** Earlier events were not read yet. */
  more: boolean;
  reading: boolean;
  error: ApiError | undefined;
}

/** How many events are read at once. */
export const historyPageSize = 200;

/**
 * Reads the history of one run from its end: new events as they come, earlier ones when somebody wants them. Events are
 * numbered without gaps and never change, so nothing is read twice. After a failure it waits to be asked again.
 */
export class RunHistoryFeed {
  readonly #read: ReadHistory;
  readonly #listeners = new Set<() => void>();
  #state: HistoryState = { rows: [], more: false, reading: false, error: undefined };
  /** The number of the latest event that exists, as far as is known. */
  #last = 0;
  #wantsEarlier = false;

  constructor(read: ReadHistory) {
    this.#read = read;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): HistoryState => this.#state;

  /** The run has this many events by now. */
  readUpTo(last: number): void {
    if (last <= this.#last) return;
    this.#last = last;
    if (!this.#state.error) this.#pump();
  }

  /** Somebody looks at the earliest event that was read. */
  readEarlier(): void {
    if (!this.#state.more || this.#state.error) return;
    this.#wantsEarlier = true;
    this.#pump();
  }

  /** The way back after a failure. */
  retry(): void {
    this.#set({ error: undefined });
    this.#pump();
  }

  #pump(): void {
    if (this.#state.reading) return;
    const { rows } = this.#state;
    const newest = rows[0]?.seq;
    const oldest = rows.at(-1)?.seq ?? 1;
    if (newest === undefined) {
      if (this.#last > 0)
        void this.#ask(Math.max(0, this.#last - historyPageSize), historyPageSize, "newer");
    } else if (newest < this.#last) {
      void this.#ask(newest, historyPageSize, "newer");
    } else if (this.#wantsEarlier && oldest > 1) {
      this.#wantsEarlier = false;
      const after = Math.max(0, oldest - 1 - historyPageSize);
      void this.#ask(after, oldest - 1 - after, "earlier");
    }
  }

  async #ask(after: number, limit: number, side: "newer" | "earlier"): Promise<void> {
    this.#set({ reading: true });
    try {
      const read = (await this.#read(after, limit)).toReversed();
      const { rows } = this.#state;
      const all = side === "newer" ? [...read, ...rows] : [...rows, ...read];
      // Nothing where something should be: asking again would not end.
      const none = read.length === 0;
      if (none) this.#last = rows[0]?.seq ?? 0;
      const more = !(none && side === "earlier") && (all.at(-1)?.seq ?? 1) > 1;
      this.#set({ rows: all, more, reading: false });
      this.#pump();
    } catch (cause) {
      this.#set({ reading: false, error: ApiError.from(cause) });
    }
  }

  #set(change: Partial<HistoryState>): void {
    this.#state = { ...this.#state, ...change };
    for (const tell of this.#listeners) tell();
  }
}
