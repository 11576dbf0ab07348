import { ApiError } from "@/api/ApiError";
import type { TimelineEntry, TimelinePage, TimelineRange, TimelineReading } from "@/api/bindings";
import { EntryPages, pageSize, pageStart } from "./entryPages";
import { MinimapMarks } from "./MinimapMarks";

/** Asks for a part of one session's timeline. */
export type ReadRange = (range: Omit<TimelineRange, "session">) => Promise<TimelinePage>;

/** Where the reading of a timeline stands. A new object whenever anything changed. */
export interface FeedState {
  phase: "opening" | "open" | "failed";
  total: number;
  revision: number;
  /** No entry will follow. */
  ended: boolean;
  /** How far a long timeline was read, while that is not all: `total` grows. */
  reading: TimelineReading | null;
  /** Entries have come since it was opened. */
  grown: boolean;
  error: ApiError | undefined;
}

const maxConcurrentReads = 3;
/** Milliseconds from one look at a growing timeline to the next: nobody reads faster, and drawing has to fit between. */
const refreshDelayMs = 150;

/**
 * Reads one timeline in pages as they are wanted, and only what changed when there is news.
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

  /** How many pages are in memory. */
  get pagesHeld(): number {
    return this.#pages.size;
  }

  /** Learns the length of the timeline; also the way back after a failure. */
  async open(): Promise<void> {
    await this.#ask({ from: 0, limit: pageSize, since: null });
  }

  /** News was lost: nothing that was read can be trusted to be current. */
  async reopen(): Promise<void> {
    this.#pages.clear();
    this.#set({ revision: 0 });
    await this.open();
  }

  /** The entries on screen. What is missing of them is read; what was wanted before and not yet asked is dropped. */
  want(seqs: Iterable<number>): void {
    this.#wanted = [...new Set(Array.from(seqs, pageStart))];
    this.#pages.touch(this.#wanted);
    this.#pump();
  }

  /** Something changed: learns the new length and reads again what is on screen. Calls while one is under way join; after a rest, one more look follows for them. */
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
    // An answer that was overtaken by a newer one must not turn the clock back.
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
