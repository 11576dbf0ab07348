/** The entries that have a row, in order: the whole timeline, or those that match a filter. */
export interface EntrySequence {
  /** Unchanged as long as entries are only added at the end. */
  id: string;
  length: number;
  /** Returns the entry at a position. */
  at: (place: number) => number;
  /** Returns the position of an entry, or of the next one if it has no row. */
  placeOf: (seq: number) => number;
}

export function allEntries(total: number): EntrySequence {
  return { id: "all", length: total, at: (place) => place, placeOf: (seq) => seq };
}

/** `seqs` in ascending order. */
export function filteredEntries(name: string, seqs: readonly number[]): EntrySequence {
  return {
    id: `${name} from ${seqs[0] ?? "nothing"}`,
    length: seqs.length,
    at: (place) => seqs[place] ?? 0,
    placeOf: (seq) => {
      let low = 0;
      let high = seqs.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((seqs[middle] ?? 0) < seq) low = middle + 1;
        else high = middle;
      }
      return Math.min(low, Math.max(0, seqs.length - 1));
    },
  };
}
