/**
 * The heights of very many rows, most of which nobody has measured: those count as `usual`. Every question takes
 * logarithmic time, so half a million rows scroll like fifty. (A Fenwick tree over what differs from `usual`.)
 */
export class RowHeights {
  readonly #usual: number;
  readonly #measured = new Map<number, number>();
  #tree: Float64Array;
  #length: number;

  constructor(length: number, usual: number) {
    this.#usual = usual;
    this.#length = length;
    this.#tree = new Float64Array(capacityFor(length) + 1);
  }

  get total(): number {
    return this.top(this.#length);
  }

  height(row: number): number {
    return this.#measured.get(row) ?? this.#usual;
  }

  /** Where the row begins; for the row after the last one, where everything ends. */
  top(row: number): number {
    let sum = row * this.#usual;
    for (let at = row; at > 0; at -= at & -at) sum += this.#tree[at] ?? 0;
    return sum;
  }

  /** The row at `offset`; of rows without height that begin there, the last. Between the first row and the last. */
  rowAt(offset: number): number {
    let row = 0;
    let left = offset;
    for (let step = this.#tree.length - 1; step >= 1; step /= 2) {
      const next = row + step;
      const span = step * this.#usual + (this.#tree[next] ?? 0);
      if (next <= this.#length && span <= left) {
        row = next;
        left -= span;
      }
    }
    return Math.max(0, Math.min(row, this.#length - 1));
  }

  /** Takes in a measured height; whether anything moved. */
  measure(row: number, height: number): boolean {
    const change = height - this.height(row);
    if (Math.abs(change) < 0.5) return false;
    this.#measured.set(row, height);
    this.#add(row, change);
    return true;
  }

  /** More rows at the end; what was measured stays. */
  grow(length: number): void {
    this.#length = Math.max(this.#length, length);
    if (capacityFor(length) < this.#tree.length) return;
    this.#tree = new Float64Array(capacityFor(length) + 1);
    for (const [row, height] of this.#measured) this.#add(row, height - this.#usual);
  }

  #add(row: number, change: number): void {
    for (let at = row + 1; at < this.#tree.length; at += at & -at) {
      this.#tree[at] = (this.#tree[at] ?? 0) + change;
    }
  }
}

function capacityFor(length: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, length)));
}
