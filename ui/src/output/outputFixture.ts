import type {
  OutputHit,
  OutputHits,
  OutputRow,
  OutputSearch,
  OutputWindow,
  OutputWindowView,
} from "@/api/bindings";

/** How many rows one call of the fake search covers. */
const searchedRows = 200_000;

type RowAt = (index: number) => Partial<OutputRow>;

/** An output of any number of rows, which are made on demand, that answers like the backend. */
export class FakeOutput {
  readonly asked: Omit<OutputWindow, "session">[] = [];
  ended = true;
  /** The lines were counted, so rows have line numbers. */
  counted = false;
  /** The last row may still change. */
  openRow = false;
  total: number;
  readonly bytesPerRow = 20;
  readonly #rowAt: RowAt;

  constructor(total: number, rowAt: RowAt = () => ({})) {
    this.total = total;
    this.#rowAt = rowAt;
  }

  get size(): number {
    return this.total * this.bytesPerRow;
  }

  /** Rows from here on may change. */
  get settled(): number {
    return this.openRow ? Math.max(0, this.size - this.bytesPerRow) : this.size;
  }

  row(index: number): OutputRow {
    return {
      position: index * this.bytesPerRow,
      stream: "stdout",
      text: `row ${index}`,
      styles: [],
      atMs: index,
      line: this.counted ? index + 1 : null,
      continued: false,
      ...this.#rowAt(index),
    };
  }

  readonly window = (range: Omit<OutputWindow, "session">): OutputWindowView => {
    this.asked.push(range);
    const { anchor, before, after } = range;
    const at = Math.min(
      this.total,
      anchor.kind === "end"
        ? this.total
        : anchor.kind === "line"
          ? anchor.line - 1
          : Math.floor(anchor.position / this.bytesPerRow),
    );
    const from = Math.max(0, at - before);
    const to = Math.min(this.total, at + after);
    return {
      rows: Array.from({ length: to - from }, (_, offset) => this.row(from + offset)),
      anchor: at - from,
      atStart: from === 0,
      atEnd: to === this.total,
      size: this.size,
      settled: this.settled,
      ended: this.ended,
    };
  };

  readonly search = (input: Omit<OutputSearch, "session">): OutputHits => {
    const { pattern, from, backwards, limit } = input;
    const needle = pattern.kind === "text" ? pattern.text : "ERROR";
    const step = backwards ? -1 : 1;
    const begin = Math.ceil(from / this.bytesPerRow) + (backwards ? -1 : 0);
    const hits: OutputHit[] = [];
    let index = begin;
    const isInside = () => index >= 0 && index < this.total;
    while (isInside() && Math.abs(index - begin) < searchedRows && hits.length < limit) {
      const { text, position } = this.row(index);
      const start = text.indexOf(needle);
      if (start >= 0) hits.push({ row: position, start, end: start + needle.length });
      index += step;
    }
    const searchedTo = Math.max(0, (backwards ? index + 1 : index) * this.bytesPerRow);
    return { hits, searchedTo, done: !isInside(), size: this.size };
  };
}
