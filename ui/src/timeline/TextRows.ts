import type { OutputRow, StyledRange } from "@/api/bindings";

/** A line of more characters continues in further rows, as in the output of a session. */
const maxRowLength = 4_096;
/** Browsers can't lay out a list that is much higher than this many rows. */
const maxRows = 500_000;

/** A text as rows, which are made one at a time: it may have hundreds of thousands. */
export class TextRows {
  /** How many characters have rows. The rest is beyond `maxRows`. */
  readonly shownCharacters: number;
  /** The number of characters of the longest row. */
  longestRow = 0;
  readonly #text: string;
  readonly #styles: readonly StyledRange[];
  readonly #starts: number[] = [];
  readonly #lines: number[] = [];

  /** `styles` are in order and don't overlap. */
  constructor(text: string, styles: readonly StyledRange[]) {
    this.#text = text;
    this.#styles = styles;
    this.shownCharacters = this.#split();
  }

  get length(): number {
    return this.#starts.length;
  }

  get lastLine(): number {
    return this.#lines.at(-1) ?? 0;
  }

  row(place: number): OutputRow {
    const start = this.#starts[place] ?? 0;
    const end = this.#endOf(place);
    return {
      position: start,
      stream: "stdout",
      text: this.#text.slice(start, end),
      styles: this.#stylesIn(start, end),
      atMs: null,
      line: this.#lines[place] ?? null,
      continued: place > 0 && this.#lines[place] === this.#lines[place - 1],
    };
  }

  /** Finds where rows begin. Returns where the last one ends. */
  #split(): number {
    let at = 0;
    for (let line = 1; at < this.#text.length; line += 1) {
      const newline = this.#text.indexOf("\n", at);
      const end = newline === -1 ? this.#text.length : newline;
      do {
        if (this.#starts.length === maxRows) return at;
        this.#starts.push(at);
        this.#lines.push(line);
        const next = this.#cut(at, end);
        this.longestRow = Math.max(this.longestRow, next - at);
        at = next;
      } while (at < end);
      at = end + 1;
    }
    return this.#text.length;
  }

  /** Returns where a row ends: never within a character. */
  #cut(start: number, end: number): number {
    const cut = start + maxRowLength;
    if (cut >= end) return end;
    return (this.#text.codePointAt(cut - 1) ?? 0) > 0xffff ? cut - 1 : cut;
  }

  /** The end of a row without its line break. */
  #endOf(place: number): number {
    const next = this.#starts[place + 1] ?? this.shownCharacters;
    if (this.#text[next - 1] !== "\n") return next;
    return this.#text[next - 2] === "\r" ? next - 2 : next - 1;
  }

  #stylesIn(start: number, end: number): StyledRange[] {
    const styles: StyledRange[] = [];
    for (let at = this.#firstStyleAfter(start); at < this.#styles.length; at += 1) {
      const range = this.#styles[at];
      if (!range || range.start >= end) break;
      styles.push({
        start: Math.max(range.start, start) - start,
        end: Math.min(range.end, end) - start,
        style: range.style,
      });
    }
    return styles;
  }

  /** Returns the first range that ends after a position. */
  #firstStyleAfter(position: number): number {
    let low = 0;
    let high = this.#styles.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#styles[middle]?.end ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
