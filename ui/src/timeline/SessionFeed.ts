import { ApiError } from "@/api/ApiError";
import type { TimelineEntry, TimelinePage, TimelineRange, TimelineReading } from "@/api/bindings";
import { EntryPages, pageSize, pageStart } from "./entryPages";
import { MinimapMarks } from "./MinimapMarks";

/** Fetches a range of one session's timeline. */
export type ReadRange = (range: Omit<TimelineRange, "session">) => Promise<TimelinePage>;

/** The loading state of a timeline. Immutable: every change creates a new object. */
export interface FeedState {
  phase: "opening" | "open" | "failed";
  total: number;
  revision: number;
  /** No more entries will follow. */
  ended: boolean;
  /** Progress while the backend is still reading a long timeline and `total` grows; then null. */
  reading: TimelineReading | null;
  /** Entries were added since the feed was opened. */
  grown: boolean;
  error: ApiError | undefined;
}

const maxConcurrentReads = 3;
/**
 * Pause between two refreshes of a growing timeline, in milliseconds. Leaves time for rendering.
 */
const refreshDelayMs = 150;

/**
 * Loads one timeline in pages on demand, and only the changes after an event.
 * Keeps a bounded number of pages, so the length of the session does not matter.
 */
export class SessionFeed {
  readonly marks = new MinimapMarks();
  readonly read: ReadRange;
  readonly #rest: number;
  readonly #pages = new EntryPages();
  readonly #listeners = new Set<() => void>();
  readonly #reading = new Set<number>();
  #wanted: number[] = [];
  #refresh: "none" | "asking" | "again" = "none";
  #state: FeedState = {
    phase: "opening",
    total: 0,
    revision: 0,
    ended: false,
    reading: null,
    grown: false,
    error: undefined,
  };

  constructor(read: ReadRange, rest = refreshDelayMs) {
    this.read = read;
    this.#rest = rest;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): FeedState => this.#state;

  entry(seq: number): TimelineEntry | undefined {
    return this.#pages.entry(seq);
  }

  /** The number of pages in memory. */
  get pagesHeld(): number {
    return this.#pages.size;
  }

  /** Loads the first page and with it the length. Also retries after a failure. */
  async open(): Promise<void> {
    await this.#ask({ from: 0, limit: pageSize, since: null });
  }

  /** Drops all pages and starts over. For lost events, after which any page may be outdated. */
  async reopen(): Promise<void> {
    this.#pages.clear();
    this.#set({ revision: 0 });
    await this.open();
  }

  /**
   * Sets the entries on screen and loads the missing ones. Earlier wishes that were not requested
   * yet are dropped.
   */
  want(seqs: Iterable<number>): void {
    this.#wanted = [...new Set(Array.from(seqs, pageStart))];
    this.#pages.touch(this.#wanted);
    this.#pump();
  }

  /**
   * Loads the new length and the changed entries on screen. Calls during a refresh are merged into
   * one more refresh, which follows after a pause.
   */
  async refresh(): Promise<void> {
    if (this.#refresh !== "none") {
      this.#refresh = "again";
      return;
    }
    do {
      this.#refresh = "asking";
      const tail = pageStart(Math.max(0, this.#state.total - 1));
      const since = this.#pages.revision(tail) ?? null;
      await this.#ask({ from: tail, limit: pageSize, since });
      await new Promise((resolve) => setTimeout(resolve, this.#rest));
    } while (this.#takeAgain());
    this.#refresh = "none";
  }

  #takeAgain(): boolean {
    return this.#refresh === "again";
  }

  #pump(): void {
    if (this.#state.phase !== "open") return;
    const { total, revision } = this.#state;
    for (const start of this.#wanted) {
      if (this.#reading.size >= maxConcurrentReads) return;
      if (start >= total || this.#reading.has(start)) continue;
      if (!this.#pages.lacks(start, total, revision)) continue;
      const since = this.#pages.revision(start) ?? null;
      void this.#ask({ from: start, limit: pageSize, since });
    }
  }

  async #ask(range: Omit<TimelineRange, "session">): Promise<void> {
    this.#reading.add(range.from);
    try {
      this.#take(range.from, await this.read(range));
    } catch (cause) {
      this.#set({ phase: "failed", error: ApiError.from(cause) });
      return;
    } finally {
      this.#reading.delete(range.from);
    }
    this.#pump();
  }

  #take(start: number, page: TimelinePage): void {
    this.#pages.put(start, page, this.#state.revision);
    this.marks.note(page.entries);
    // A response that arrives after a newer one must not undo it.
    const { phase, total, revision } = this.#state;
    const newer = page.revision >= revision;
    this.#set({
      phase: "open",
      grown: this.#state.grown || (phase === "open" && !this.#state.reading && page.total > total),
      error: undefined,
      ...(newer && {
        total: page.total,
        revision: page.revision,
        ended: page.ended,
        reading: page.reading,
      }),
    });
  }

  #set(change: Partial<FeedState>): void {
    this.#state = { ...this.#state, ...change };
    for (const notify of this.#listeners) notify();
  }
}
