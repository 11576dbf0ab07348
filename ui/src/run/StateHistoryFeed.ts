import { ApiError } from "@/api/ApiError";
import type { RunId, StateHistoryView } from "@/api/bindings";
import { appendMoments, emptyStateHistory, type StateHistory } from "./stateHistory";

/** Reads the changes after a sequence number. */
export type ReadStateHistory = (after: number) => Promise<StateHistoryView>;

export interface StateHistoryFeedState {
  stateHistory: StateHistory;
  reading: boolean;
  error: ApiError | undefined;
}

/** The minimum time between two reads, in milliseconds. */
const minReadIntervalMs = 300;
/** Slow reads happen less often: reading takes at most 1/4 of the time. */
const readIntervalFactor = 4;

/**
 * Reads the state history of a run and appends to it as the run proceeds. After a failure it waits
 * for `retry`.
 */
export class StateHistoryFeed {
  readonly run: RunId;
  readonly #read: ReadStateHistory;
  readonly #listeners = new Set<() => void>();
  #state: StateHistoryFeedState;
  #last = 0;
  #busy = false;

  constructor(run: RunId, read: ReadStateHistory) {
    this.run = run;
    this.#read = read;
    this.#state = { stateHistory: emptyStateHistory(run), reading: false, error: undefined };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): StateHistoryFeedState => this.#state;

  /** Call this when the run has `last` events. */
  readUpTo(last: number): void {
    this.#last = Math.max(this.#last, last);
    if (!this.#state.error) void this.#pump();
  }

  /** Resumes reading after a failure. */
  retry(): void {
    this.#set({ error: undefined });
    void this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    // Stops when there are no subscribers; a new one calls `readUpTo` again.
    while (
      this.#state.stateHistory.seq < this.#last &&
      !this.#state.error &&
      this.#listeners.size > 0
    ) {
      const begun = performance.now();
      await this.#readOn();
      const took = performance.now() - begun;
      await delay(Math.max(minReadIntervalMs, took * readIntervalFactor) - took);
    }
    this.#busy = false;
  }

  async #readOn(): Promise<void> {
    this.#set({ reading: true });
    try {
      const { stateHistory } = this.#state;
      const more = await this.#read(stateHistory.seq);
      // An empty response where events should exist: reading again would loop forever.
      if (more.seq <= stateHistory.seq) this.#last = stateHistory.seq;
      this.#set({ stateHistory: appendMoments(stateHistory, more), reading: false });
    } catch (cause) {
      this.#set({ reading: false, error: ApiError.from(cause) });
    }
  }

  #set(change: Partial<StateHistoryFeedState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
