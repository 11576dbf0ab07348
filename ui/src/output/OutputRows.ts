import type { OutputRow, OutputWindowView } from "@/api/bindings";

/** Rows without a gap between them. */
export interface RowSegment {
  readonly rows: readonly OutputRow[];
  /** The first row is the first of the output. */
  readonly atStart: boolean;
  /** The last row was the last of the output when it was read. */
  readonly atEnd: boolean;
  /** Rows from this position on may have changed since they were read. */
  readonly settled: number;
  /** The size of the output when the last row was read. */
  readonly size: number;
}

/** A row in the cache. */
export interface RowPlace {
  segment: RowSegment;
  index: number;
}

/**
 * The rows of an output that were read so far. How many rows there are between two segments is not
 * known, only their positions.
 */
export class OutputRows {
  #segments: RowSegment[] = [];
  #size = 0;
  #settled = 0;
  #ended = false;

  /** Bytes of the output, as far as known. */
  get size(): number {
    return this.#size;
  }

  /** Rows from this position on may still change. */
  get settled(): number {
    return this.#settled;
  }

  /** The output won't grow anymore. */
  get ended(): boolean {
    return this.#ended;
  }

  get length(): number {
    return this.#segments.reduce((sum, { rows }) => sum + rows.length, 0);
  }

  get segments(): readonly RowSegment[] {
    return this.#segments;
  }

  /** Adds rows that were read. They replace older ones at the same place. */
  add(view: OutputWindowView): void {
    const isOutdated = view.size < this.#size;
    this.noteSize(view);
    const added = isOutdated ? settledPart(view, this.#size) : segmentOf(view);
    if (added.rows.length > 0) this.#join(added);
    else if (view.atStart && view.atEnd) this.#segments = [];
  }

  /** Notes the size without adding rows. */
  noteSize({ size, settled, ended }: Pick<OutputWindowView, "size" | "settled" | "ended">): void {
    this.#size = Math.max(this.#size, size);
    this.#settled = Math.max(this.#settled, settled);
    this.#ended = this.#ended || ended;
  }

  /** The row that contains a position, if it was read. */
  locate(position: number): RowPlace | undefined {
    for (const segment of this.#segments) {
      const last = lastOf(segment);
      if (position < firstOf(segment)) return undefined;
      if (position <= last || this.isAtEnd(segment))
        return { segment, index: indexAt(segment.rows, position) };
    }
    return undefined;
  }

  /** Whether no row follows the segment, as far as known. */
  isAtEnd(segment: RowSegment): boolean {
    return segment.atEnd && segment.size >= this.#size;
  }

  /** The segment that contains the end of the output, if it was read. */
  tail(): RowSegment | undefined {
    const last = this.#segments.at(-1);
    return last && this.isAtEnd(last) ? last : undefined;
  }

  /** Forgets the rows that are farthest from a position, so that at most `max` rows remain. */
  evict(position: number, max: number): void {
    const kept = this.locate(position)?.segment;
    const others = this.#segments.filter((segment) => segment !== kept);
    others.sort((a, b) => distance(b, position) - distance(a, position));
    let excess = this.length - max;
    while (excess > 0 && others.length > 0) {
      const gone = others.shift();
      excess -= gone?.rows.length ?? 0;
      this.#segments = this.#segments.filter((segment) => segment !== gone);
    }
    if (excess > 0 && kept) this.#shorten(kept, position, max);
  }

  /** Forgets all rows but those from one position to another. */
  keepOnly(from: number, to: number): void {
    this.#segments = this.#segments.flatMap((segment) => {
      const start = segment.rows.findIndex((row) => row.position >= from);
      const end = segment.rows.findLastIndex((row) => row.position <= to) + 1;
      return start >= 0 && start < end ? [cut(segment, start, end)] : [];
    });
  }

  #shorten(segment: RowSegment, position: number, max: number): void {
    const middle = indexAt(segment.rows, position);
    const half = Math.floor(max / 2);
    const start = Math.max(0, Math.min(middle - half, segment.rows.length - max));
    const short = cut(segment, start, start + max);
    this.#segments = this.#segments.map((each) => (each === segment ? short : each));
  }

  #join(added: RowSegment): void {
    const segments: RowSegment[] = [];
    let joined = added;
    for (const segment of this.#segments) {
      if (lastOf(segment) < firstOf(joined) || firstOf(segment) > lastOf(joined))
        segments.push(segment);
      else joined = merge(segment, joined);
    }
    segments.push(joined);
    this.#segments = segments.sort((a, b) => firstOf(a) - firstOf(b));
  }
}

function segmentOf({ rows, atStart, atEnd, settled, size }: OutputWindowView): RowSegment {
  return { rows, atStart, atEnd, settled, size };
}

/** The rows of an answer that was overtaken by a newer one, without those that may have changed. */
function settledPart(view: OutputWindowView, size: number): RowSegment {
  const rows = view.rows.filter((row) => row.position < view.settled);
  return { rows, atStart: view.atStart, atEnd: false, settled: size, size };
}

/** Merges `added` into an older segment that overlaps it. */
function merge(old: RowSegment, added: RowSegment): RowSegment {
  const isCurrent = (row: OutputRow) => old.size >= added.size || row.position < old.settled;
  const before = old.rows.filter((row) => row.position < firstOf(added));
  const after = old.rows.filter((row) => row.position > lastOf(added) && isCurrent(row));
  // If a row before `added` may have changed, the two may not fit together.
  const fits = before.every(isCurrent) && (before.length === 0 || hasRow(old, firstOf(added)));
  const isWhole = after.length > 0 && after.at(-1) === old.rows.at(-1);
  return {
    rows: [...(fits ? before : []), ...added.rows, ...after],
    atStart: before.length === 0 ? added.atStart : fits && old.atStart,
    atEnd: isWhole ? old.atEnd && old.size >= added.size : after.length === 0 && added.atEnd,
    settled:
      isWhole && old.size >= added.size ? Math.min(old.settled, added.settled) : added.settled,
    size: added.size,
  };
}

function cut(segment: RowSegment, start: number, end: number): RowSegment {
  return {
    ...segment,
    rows: segment.rows.slice(start, end),
    atStart: segment.atStart && start === 0,
    atEnd: segment.atEnd && end >= segment.rows.length,
  };
}

function hasRow({ rows }: RowSegment, position: number): boolean {
  return rows[indexAt(rows, position)]?.position === position;
}

/** The index of the last row that begins at or before a position. */
function indexAt(rows: readonly OutputRow[], position: number): number {
  let low = 0;
  let high = rows.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.position ?? 0) <= position) low = middle;
    else high = middle;
  }
  return low;
}

function firstOf({ rows }: RowSegment): number {
  return rows[0]?.position ?? 0;
}

function lastOf({ rows }: RowSegment): number {
  return rows.at(-1)?.position ?? 0;
}

function distance(segment: RowSegment, position: number): number {
  return Math.max(firstOf(segment) - position, position - lastOf(segment), 0);
}
