import { ApiError } from "@/api/ApiError";
import type { HistoryRow } from "@/api/bindings";

/** Reads the events after a sequence number, in order, at most `limit`. */
export type ReadHistory = (after: number, limit: number) => Promise<readonly HistoryRow[]>;

/** The part of a history that is in memory. A new object after every change. */
export interface HistoryState {
  /** Latest first, without gaps. */
  rows: readonly HistoryRow[];
  /** Whether there are earlier events that were not read yet. */
  more: boolean;
  reading: boolean;
  error: ApiError | undefined;
}

/** The number of events per read. */
export const historyPageSize = 200;

/**
 * Reads the history of a run from its end: new events as they come, earlier ones on demand. Events
 * are numbered without gaps and never change, so nothing is read twice. After a failure it waits
 * for `retry`.
 */
export class RunHistoryFeed {
  readonly #read: ReadHistory;
  readonly #listeners = new Set<() => void>();
  #state: HistoryState = { rows: [], more: false, reading: false, error: undefined };
  /** The highest known sequence number. */
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

  /** Call this when the run has `last` events. */
  readUpTo(last: number): void {
    if (last <= this.#last) return;
    this.#last = last;
    if (!this.#state.error) this.#pump();
  }

  /** Call this when the earliest event is visible. */
  readEarlier(): void {
    if (!this.#state.more || this.#state.error) return;
    this.#wantsEarlier = true;
    this.#pump();
  }

  /** Resumes reading after a failure. */
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
      // An empty response where events should exist: reading again would loop forever.
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
    for (const listener of this.#listeners) listener();
  }
}
