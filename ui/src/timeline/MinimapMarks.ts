import type { TimelineEntry } from "@/api/bindings";
import { isError, isQuestion } from "./entryFilters";
import { pageStart } from "./entryPages";

/** One place on the minimap: a share of the height from the top, 0 to 1. */
export interface MinimapMark {
  at: number;
  kind: "error" | "question";
}

/** A stretch of the timeline that was read, as shares of the height. */
export interface MinimapRange {
  from: number;
  to: number;
}

/** What is known of a timeline without keeping its entries: where errors and questions are, and what was read. */
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

  /** At most one mark of a kind for each of `places` places, however many entries share it. */
  onMap(total: number, places: number): MinimapMark[] {
    return [
      ...spread(this.#questions, "question", total, places),
      ...spread(this.#errors, "error", total, places),
    ];
  }

  /** What was read, neighboring pages joined. */
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
