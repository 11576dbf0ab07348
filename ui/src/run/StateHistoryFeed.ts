import { ApiError } from "@/api/ApiError";
import type { RunId, StateHistoryView } from "@/api/bindings";
import { appendMoments, emptyStateHistory, type StateHistory } from "./stateHistory";

/** Asks for what came after an event. */
export type ReadStateHistory = (after: number) => Promise<StateHistoryView>;

export interface StateHistoryFeedState {
  stateHistory: StateHistory;
  reading: boolean;
  error: ApiError | undefined;
}

/** A course is read at most once in this time, in milliseconds. */
const minReadIntervalMs = 300;
/** What is slow to read is read less often: reading takes at most one part in so many of the time. */
const readIntervalFactor = 4;

/** Reads the course of one run, and reads on as the run does. After a failure it waits to be asked again. */
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

  /** The run has this many events by now. */
  readUpTo(last: number): void {
    this.#last = Math.max(this.#last, last);
    if (!this.#state.error) void this.#pump();
  }

  /** The way back after a failure. */
  retry(): void {
    this.#set({ error: undefined });
    void this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    // Nobody who left is read for; whoever comes back asks again.
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
      // Nothing where something should be: asking again would not end.
      if (more.seq <= stateHistory.seq) this.#last = stateHistory.seq;
      this.#set({ stateHistory: appendMoments(stateHistory, more), reading: false });
    } catch (cause) {
      this.#set({ reading: false, error: ApiError.from(cause) });
    }
  }

  #set(change: Partial<StateHistoryFeedState>): void {
    this.#state = { ...this.#state, ...change };
    for (const tell of this.#listeners) tell();
  }
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
