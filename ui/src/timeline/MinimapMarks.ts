import type { TimelineEntry } from "@/api/bindings";
import { isError, isQuestion } from "./entryFilters";
import { pageStart } from "./entryPages";

/** A mark on the minimap; `at` is its distance from the top as a fraction of the height, 0 to 1. */
export interface MinimapMark {
  at: number;
  kind: "error" | "question";
}

/** A loaded part of the timeline, as fractions of the height. */
export interface MinimapRange {
  from: number;
  to: number;
}

/**
 * Positions of errors, questions and loaded pages. Outlives the entries themselves, which may be
 * evicted.
 */
export class MinimapMarks {
  readonly #errors = new Set<number>();
  readonly #questions = new Set<number>();
  readonly #read = new Set<number>();

  note(entries: readonly TimelineEntry[]): void {
    for (const entry of entries) {
      put(this.#errors, entry.seq, isError(entry));
      put(this.#questions, entry.seq, isQuestion(entry));
      this.#read.add(pageStart(entry.seq));
    }
  }

  /** Returns at most one mark per kind for each of `places` positions. */
  onMap(total: number, places: number): MinimapMark[] {
    return [
      ...spread(this.#questions, "question", total, places),
      ...spread(this.#errors, "error", total, places),
    ];
  }

  /** Returns the loaded parts, with adjacent pages merged. */
  stretches(total: number, size: number): MinimapRange[] {
    const joined: { from: number; to: number }[] = [];
    for (const start of [...this.#read].sort((a, b) => a - b)) {
      const last = joined.at(-1);
      if (last && last.to >= start) last.to = start + size;
      else joined.push({ from: start, to: start + size });
    }
    return joined.map(({ from, to }) => ({ from: from / total, to: Math.min(1, to / total) }));
  }
}

function put(set: Set<number>, seq: number, belongs: boolean): void {
  if (belongs) set.add(seq);
  else set.delete(seq);
}

function spread(seqs: Set<number>, kind: MinimapMark["kind"], total: number, places: number) {
  const taken = new Set<number>();
  for (const seq of seqs) taken.add(Math.floor((seq / Math.max(1, total)) * places));
  return [...taken].map((place): MinimapMark => ({ at: place / places, kind }));
}
