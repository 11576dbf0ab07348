import type { OutputRow } from "@/api/bindings";
import type { OutputRows, RowPlace } from "./OutputRows";

/** The rows to render. */
export interface VisibleRows {
  rows: readonly OutputRow[];
  /** The distance of the first one from the upper edge, in pixels; negative above it. */
  top: number;
  /** Positions of the first and the last row that are at least partly visible. */
  first: number;
  last: number;
  /** How many more rows were read above and below. */
  rowsBefore: number;
  rowsAfter: number;
}

/** Where a row is put in the viewport. `nearest` moves as little as possible. */
export type RowAlignment = "top" | "center" | "nearest";

/**
 * The visible part of an output. It is anchored to the row at the upper edge, because the number
 * of rows above is unknown: whatever is read or measured elsewhere moves nothing on the screen.
 */
export class OutputViewport {
  /** The row at the upper edge, and how many of its pixels are above the edge. */
  #anchor = { position: 0, offset: 0 };
  #height = 0;
  #rowHeight = 18;
  #wrapped = false;
  /** Measured heights by position, for wrapped rows. */
  readonly #heights = new Map<number, number>();

  get anchor(): Readonly<{ position: number; offset: number }> {
    return this.#anchor;
  }

  get height(): number {
    return this.#height;
  }

  get rowHeight(): number {
    return this.#rowHeight;
  }

  /** How many rows fit, at least one. */
  get rowsPerPage(): number {
    return Math.max(1, Math.floor(this.#height / this.#rowHeight));
  }

  resize(height: number, rowHeight: number): void {
    if (rowHeight !== this.#rowHeight) this.#heights.clear();
    this.#height = height;
    this.#rowHeight = rowHeight;
  }

  /** Wrapped rows have different heights, which have to be measured. */
  setWrapped(wrapped: boolean): void {
    if (wrapped === this.#wrapped) return;
    this.#heights.clear();
    this.#anchor = { ...this.#anchor, offset: 0 };
    this.#wrapped = wrapped;
  }

  /** Forgets measured heights, for example because the width changed. */
  forgetHeights(): void {
    if (!this.#wrapped) return;
    this.#heights.clear();
    this.#anchor = { ...this.#anchor, offset: 0 };
  }

  /** Records the height of a wrapped row. Returns whether it is new. */
  measure(position: number, height: number): boolean {
    if (!this.#wrapped || height <= 0 || this.#heights.get(position) === height) return false;
    this.#heights.set(position, height);
    return true;
  }

  heightOf({ position }: OutputRow): number {
    if (!this.#wrapped) return this.#rowHeight;
    return this.#heights.get(position) ?? this.#rowHeight;
  }

  /**
   * Scrolls down, or up if negative, as far as rows were read. Returns the pixels that remain: not
   * 0 at an end of what was read.
   */
  scrollBy(rows: OutputRows, pixels: number): number {
    const place = rows.locate(this.#anchor.position);
    if (!place) return pixels;
    const start = this.#distanceToStart(place, Math.abs(pixels)) + this.#anchor.offset;
    if (pixels < 0 && start < -pixels) {
      this.#moveTo(place, -start);
      return pixels + start;
    }
    const rest = pixels > 0 ? Math.max(0, this.#distanceToEnd(place, pixels)) : 0;
    const moved = pixels > 0 ? Math.min(pixels, rest) : pixels;
    this.#moveTo(place, moved);
    return pixels - moved;
  }

  /** Puts a row that was read in view. */
  show(rows: OutputRows, position: number, alignment: RowAlignment): void {
    if (alignment === "nearest" && this.#shows(rows, position)) return;
    this.#anchor = { position, offset: 0 };
    if (alignment !== "top") this.scrollBy(rows, -(this.#height - this.#rowHeight) / 2);
    this.clamp(rows);
  }

  toStart(rows: OutputRows): void {
    const first = rows.segments[0];
    if (first?.atStart) this.#anchor = { position: first.rows[0]?.position ?? 0, offset: 0 };
  }

  /** Shows the last rows at the lower edge, if they were read. */
  toEnd(rows: OutputRows): void {
    const tail = rows.tail();
    const last = tail?.rows.at(-1);
    if (!tail || !last) return;
    this.#anchor = { position: last.position, offset: 0 };
    const place = { segment: tail, index: tail.rows.length - 1 };
    this.#moveTo(place, this.#distanceToEnd(place, Number.POSITIVE_INFINITY));
  }

  /** Leaves no empty room below the last row that was read, unless all rows fit. */
  clamp(rows: OutputRows): void {
    const place = rows.locate(this.#anchor.position);
    if (!place) return;
    const position = place.segment.rows[place.index]?.position ?? 0;
    if (position !== this.#anchor.position) this.#anchor = { position, offset: 0 };
    const room = this.#distanceToEnd(place, 0);
    if (room < 0) this.#moveTo(place, room);
  }

  isAtStart(rows: OutputRows): boolean {
    const place = rows.locate(this.#anchor.position);
    return !!place?.segment.atStart && place.index === 0 && this.#anchor.offset <= 0;
  }

  isAtEnd(rows: OutputRows): boolean {
    const place = rows.locate(this.#anchor.position);
    return !!place && rows.isAtEnd(place.segment) && this.#distanceToEnd(place, 1) <= 0;
  }

  /** The rows to render, with `overscan` rows around the visible ones; undefined while unread. */
  visible(rows: OutputRows, overscan: number): VisibleRows | undefined {
    const place = rows.locate(this.#anchor.position);
    if (!place) return undefined;
    const all = place.segment.rows;
    let bottom = -this.#anchor.offset;
    let end = place.index;
    while (end < all.length && bottom < this.#height) bottom += this.#heightAt(all, end++);
    const lastVisible = Math.max(place.index, end - 1);
    const from = Math.max(0, place.index - overscan);
    let top = -this.#anchor.offset;
    for (let at = place.index - 1; at >= from; at -= 1) top -= this.#heightAt(all, at);
    return {
      rows: all.slice(from, lastVisible + 1 + overscan),
      top,
      first: all[place.index]?.position ?? 0,
      last: all[lastVisible]?.position ?? 0,
      rowsBefore: place.index,
      rowsAfter: all.length - 1 - lastVisible,
    };
  }

  #shows(rows: OutputRows, position: number): boolean {
    const visible = this.visible(rows, 0);
    if (!visible || position < visible.first || position > visible.last) return false;
    // The rows at the edges may be cut off.
    let top = visible.top;
    for (const row of visible.rows) {
      const height = this.heightOf(row);
      if (row.position === position) return top >= 0 && top + height <= this.#height;
      top += height;
    }
    return false;
  }

  #heightAt(rows: readonly OutputRow[], index: number): number {
    const row = rows[index];
    return row ? this.heightOf(row) : 0;
  }

  /** Pixels of the rows above the anchor's; counts only until there are `enough`. */
  #distanceToStart({ segment, index }: RowPlace, enough: number): number {
    let sum = 0;
    for (let at = index - 1; at >= 0 && sum < enough; at -= 1)
      sum += this.#heightAt(segment.rows, at);
    return sum;
  }

  /** Pixels of rows below the lower edge; negative if there is room. Counts until `enough`. */
  #distanceToEnd({ segment, index }: RowPlace, enough: number): number {
    let sum = -this.#anchor.offset - this.#height;
    for (let at = index; at < segment.rows.length && sum < enough; at += 1)
      sum += this.#heightAt(segment.rows, at);
    return sum;
  }

  /** Moves the anchor from a row by pixels, within the segment. */
  #moveTo({ segment: { rows }, index }: RowPlace, pixels: number): void {
    let at = index;
    let offset = this.#anchor.offset + pixels;
    while (offset < 0 && at > 0) offset += this.#heightAt(rows, --at);
    while (at < rows.length - 1 && offset >= this.#heightAt(rows, at))
      offset -= this.#heightAt(rows, at++);
    this.#anchor = { position: rows[at]?.position ?? 0, offset: Math.max(0, offset) };
  }
}
