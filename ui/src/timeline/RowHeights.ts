/**
 * The heights of many rows, most of which were never measured and count as `usual`. A Fenwick tree
 * of the differences from `usual`: lookups and updates take logarithmic time, so half a million
 * rows scroll smoothly.
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

  /** Returns the top of the row. For `length`, the total height. */
  top(row: number): number {
    let sum = row * this.#usual;
    for (let at = row; at > 0; at -= at & -at) sum += this.#tree[at] ?? 0;
    return sum;
  }

  /**
   * Returns the row at `offset`, clamped to the existing rows. Of several rows without height
   * there, the last.
   */
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

  /** Stores a measured height. Returns whether any row moved. */
  measure(row: number, height: number): boolean {
    const change = height - this.height(row);
    if (Math.abs(change) < 0.5) return false;
    this.#measured.set(row, height);
    this.#add(row, change);
    return true;
  }

  /** Adds rows at the end and keeps the measured heights. */
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
