import { ApiError } from "@/api/ApiError";
import type { CourseView, RunId } from "@/api/bindings";
import { type Course, emptyCourse, extended } from "./course";

/** Asks for what came after an event. */
export type ReadCourse = (after: number) => Promise<CourseView>;

export interface CourseState {
  course: Course;
  reading: boolean;
  error: ApiError | undefined;
}

/** A course is read at most once in this time, in milliseconds. */
const shortestRound = 300;
/** What is slow to read is read less often: reading takes at most one part in so many of the time. */
const shareOfReading = 4;

/** Reads the course of one run, and reads on as the run does. After a failure it waits to be asked again. */
export class CourseFeed {
  readonly run: RunId;
  readonly #read: ReadCourse;
  readonly #listeners = new Set<() => void>();
  #state: CourseState;
  #last = 0;
  #busy = false;

  constructor(run: RunId, read: ReadCourse) {
    this.run = run;
    this.#read = read;
    this.#state = { course: emptyCourse(run), reading: false, error: undefined };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): CourseState => this.#state;

  /** The run has this many events by now. */
  reach(last: number): void {
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
    while (this.#state.course.seq < this.#last && !this.#state.error && this.#listeners.size > 0) {
      const begun = performance.now();
      await this.#readOn();
      const took = performance.now() - begun;
      await pause(Math.max(shortestRound, took * shareOfReading) - took);
    }
    this.#busy = false;
  }

  async #readOn(): Promise<void> {
    this.#set({ reading: true });
    try {
      const { course } = this.#state;
      const more = await this.#read(course.seq);
      // Nothing where something should be: asking again would not end.
      if (more.seq <= course.seq) this.#last = course.seq;
      this.#set({ course: extended(course, more), reading: false });
    } catch (cause) {
      this.#set({ reading: false, error: ApiError.from(cause) });
    }
  }

  #set(change: Partial<CourseState>): void {
    this.#state = { ...this.#state, ...change };
    for (const tell of this.#listeners) tell();
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
