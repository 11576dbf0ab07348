import { ApiError } from "@/api/ApiError";
import type { OutputAnchor, OutputWindowView } from "@/api/bindings";
import { OutputRows, type RowSegment } from "./OutputRows";
import { OutputViewport, type RowAlignment, type VisibleRows } from "./OutputViewport";
import { lastSettled, pageRows, prefetchRequest, type WindowRange } from "./prefetch";
import { type ReadWindow, RowRequests } from "./RowRequests";

/** What is shown of an output. A new object after each change. */
export interface OutputState {
  /** `failed` if nothing could be read. */
  phase: "loading" | "open" | "failed";
  /** The last request failed. What was read before stays. */
  error: ApiError | undefined;
  /** The rows to render; undefined while they are read. */
  visible: VisibleRows | undefined;
  /** A jump waits for its rows. */
  jumping: boolean;
  size: number;
  /** The session has ended. */
  ended: boolean;
  atStart: boolean;
  atEnd: boolean;
  /** Stays at the end as the output grows. */
  following: boolean;
}

/** A move to rows that have to be read first. */
interface Jump {
  anchor: OutputAnchor;
  alignment: RowAlignment;
  /** Called with the position of the row, or nothing if the jump was replaced or failed. */
  landed: (position: number | undefined) => void;
}

const maxRows = 20_000;
const overscan = 12;

/**
 * Reads the visible part of an output, and some rows around it before they are needed. Changes what
 * is visible only when the person moves, or follows the end.
 */
export class OutputReader {
  readonly rows = new OutputRows();
  readonly viewport = new OutputViewport();
  readonly #requests: RowRequests;
  readonly #listeners = new Set<() => void>();
  #jump: Jump | undefined;
  /** Whether the output may have grown, and whether that is being read. */
  #growth: "none" | "expected" | "reading" | "again" = "none";
  /** Pixels that the person scrolled beyond the rows that were read. */
  #debt = 0;
  #following = false;
  /** The visible rows have to be read again. */
  #isRereading = false;
  #error: ApiError | undefined;
  #opened = false;
  #state: OutputState;

  constructor(read: ReadWindow) {
    this.#requests = new RowRequests(read, {
      receive: (view) => this.#receive(view),
      fail: (cause) => this.#fail(cause),
      settled: () => this.#update(),
    });
    this.#state = this.#describe();
  }

  readonly state = (): OutputState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Reads the first rows, or the last ones. */
  open(follow: boolean): void {
    if (this.#opened) return;
    this.#opened = true;
    if (follow) this.toEnd();
    else this.toStart();
  }

  /** Repeats what failed. */
  retry(): void {
    this.#error = undefined;
    if (this.rows.length > 0) this.refresh();
    else {
      this.#opened = false;
      this.open(this.#following);
    }
  }

  resize(height: number, rowHeight: number): void {
    const { viewport } = this;
    if (viewport.height === height && viewport.rowHeight === rowHeight) return;
    const wasAtEnd = this.#state.atEnd && !this.#state.atStart;
    viewport.resize(height, rowHeight);
    if (wasAtEnd) viewport.toEnd(this.rows);
    this.#settle();
  }

  setWrapped(wrapped: boolean): void {
    this.viewport.setWrapped(wrapped);
    this.#settle();
  }

  /** The width changed, so wrapped rows have other heights. */
  forgetHeights(): void {
    this.viewport.forgetHeights();
    this.#settle();
  }

  /** Records the heights of rendered rows by position. */
  measure(heights: Iterable<readonly [number, number]>): void {
    let isNew = false;
    for (const [position, height] of heights)
      isNew = this.viewport.measure(position, height) || isNew;
    if (isNew) this.#settle();
  }

  scrollBy(pixels: number): void {
    if (pixels === 0 || this.#jump) return;
    if (Math.sign(pixels) !== Math.sign(this.#debt)) this.#debt = 0;
    this.#scroll(this.#debt + pixels);
    const atEnd = this.viewport.isAtEnd(this.rows);
    if (pixels < 0 && !atEnd) this.#following = false;
    if (pixels > 0 && atEnd && !this.rows.ended) this.#following = true;
    this.#error = undefined;
    this.#update();
  }

  scrollRows(count: number): void {
    this.scrollBy(count * this.viewport.rowHeight);
  }

  /** Scrolls by what is visible; one row stays. */
  scrollPage(direction: 1 | -1): void {
    this.scrollRows(direction * Math.max(1, this.viewport.rowsPerPage - 1));
  }

  toStart(): void {
    this.#following = false;
    if (!this.rows.segments[0]?.atStart)
      return void this.#jumpTo({ kind: "position", position: 0 }, "top");
    this.viewport.toStart(this.rows);
    this.#arrive();
  }

  /** Goes to the end. While the session lives, stays there as the output grows. */
  toEnd(): void {
    this.#following = true;
    if (!this.rows.tail()) return void this.#jumpTo({ kind: "end" }, "nearest");
    this.viewport.toEnd(this.rows);
    this.#arrive();
  }

  /** Stays where it is as the output grows. */
  unfollow(): void {
    this.#following = false;
    this.#update();
  }

  /** Goes to the row that contains a position. Returns where that row begins. */
  toPosition(position: number, alignment: RowAlignment): Promise<number | undefined> {
    this.#following = false;
    const place = this.rows.locate(position);
    const row = place?.segment.rows[place.index];
    if (!place || !row || !this.#isSurrounded(place.segment, place.index))
      return this.#jumpTo({ kind: "position", position }, alignment);
    this.viewport.show(this.rows, row.position, alignment);
    this.#arrive();
    return Promise.resolve(row.position);
  }

  /** Goes to a line. Works after the lines were counted. */
  toLine(line: number): Promise<number | undefined> {
    this.#following = false;
    return this.#jumpTo({ kind: "line", line }, "center");
  }

  /** The output may have grown. What is visible stays where it is, unless it follows the end. */
  refresh(): void {
    this.#requests.forgetFruitless();
    this.#error = undefined;
    this.#growth = this.#growth === "none" || this.#growth === "expected" ? "expected" : "again";
    this.#update();
  }

  /** Reads the visible rows again and forgets the others: their line numbers are known now. */
  reread(): void {
    this.#isRereading = true;
    this.#update();
  }

  /** Whether enough rows around one were read to show it anywhere in the viewport. */
  #isSurrounded(segment: RowSegment, index: number): boolean {
    const page = this.viewport.rowsPerPage + 1;
    const hasBelow = segment.rows.length - index > page || this.rows.isAtEnd(segment);
    return hasBelow && (index >= page || segment.atStart);
  }

  #jumpTo(anchor: OutputAnchor, alignment: RowAlignment): Promise<number | undefined> {
    this.#arriveAt(undefined);
    this.#error = undefined;
    return new Promise((landed) => {
      this.#jump = { anchor, alignment, landed };
      this.#update();
    });
  }

  /** Moved to rows that were read, which replaces a jump to others. */
  #arrive(): void {
    this.#arriveAt(undefined);
    this.#update();
  }

  #arriveAt(position: number | undefined): void {
    const jump = this.#jump;
    this.#jump = undefined;
    this.#debt = 0;
    jump?.landed(position);
  }

  #scroll(pixels: number): void {
    const rest = this.viewport.scrollBy(this.rows, pixels);
    const { atStart, atEnd } = this.#edges();
    const most = this.viewport.height * 3;
    this.#debt = (rest < 0 ? atStart : atEnd) ? 0 : Math.max(-most, Math.min(most, rest));
  }

  #edges() {
    return { atStart: this.viewport.isAtStart(this.rows), atEnd: this.viewport.isAtEnd(this.rows) };
  }

  /** Keeps the viewport within the rows after they or their heights changed. */
  #settle(): void {
    this.#keepInside();
    this.#update();
  }

  #keepInside(): void {
    if (this.#following) this.viewport.toEnd(this.rows);
    else this.viewport.clamp(this.rows);
  }

  #update(): void {
    this.#requestNext();
    this.#state = this.#describe();
    for (const listener of this.#listeners) listener();
  }

  #describe(): OutputState {
    const { size, ended, length } = this.rows;
    const visible = this.viewport.visible(this.rows, overscan);
    const isLoading = length === 0 && (this.#jump !== undefined || this.#requests.isReading);
    const hasFailed = this.#error !== undefined && length === 0;
    return {
      phase: hasFailed ? "failed" : isLoading ? "loading" : "open",
      error: this.#error,
      visible,
      jumping: this.#jump !== undefined,
      ...{ size, ended, ...this.#edges() },
      following: this.#following && !ended,
    };
  }

  /** Sends requests in the order of their urgency. */
  #requestNext(): void {
    if (!this.#opened || this.#error) return;
    const visible = this.viewport.visible(this.rows, 0);
    if (!visible && this.rows.size > 0) this.#jump ??= this.#returnToAnchor();
    if (this.#jump) {
      this.#requestJump(this.#jump);
      return;
    }
    if (this.#growth === "expected") this.#requestGrowth();
    if (this.#isRereading && visible) this.#requestAgain(visible);
    let wanted = prefetchRequest(this.rows, visible, this.#requests.isDone);
    while (wanted && this.#requests.send(wanted.key, wanted.range))
      wanted = prefetchRequest(this.rows, visible, this.#requests.isDone);
  }

  #requestAgain({ first, last }: VisibleRows): void {
    const anchor = { kind: "position", position: first } as const;
    const after = pageRows + this.viewport.rowsPerPage;
    const sent = this.#requests.send("again", { anchor, before: pageRows, after });
    if (!sent) return;
    this.#isRereading = false;
    this.rows.keepOnly(first, last);
  }

  /** The visible rows were forgotten, for example because they changed. */
  #returnToAnchor(): Jump | undefined {
    const anchor = { kind: "position", position: this.viewport.anchor.position } as const;
    if (this.#requests.isDone(jumpKey(anchor))) return undefined;
    return { anchor, alignment: "top", landed: () => {} };
  }

  #requestJump({ anchor, alignment }: Jump): void {
    const around = pageRows / 2 + this.viewport.rowsPerPage;
    const key = jumpKey(anchor);
    if (this.#requests.isUnderWay(key)) return;
    this.#requests.send(key, { anchor, before: around, after: around }, (view) => {
      if (!this.#jump || jumpKey(this.#jump.anchor) !== key) return;
      const row = view.rows[view.anchor] ?? view.rows.at(-1);
      if (row && anchor.kind !== "end") this.viewport.show(this.rows, row.position, alignment);
      else this.viewport.toEnd(this.rows);
      this.#arriveAt(row?.position);
    });
  }

  #requestGrowth(): void {
    const sent = this.#requests.send("growth", this.#growthRange(), () => {
      this.#growth = this.#growth === "again" ? "expected" : "none";
    });
    if (sent) this.#growth = "reading";
  }

  #growthRange(): WindowRange {
    const after = pageRows + this.viewport.rowsPerPage;
    const segment = this.rows.locate(this.viewport.anchor.position)?.segment;
    const position = segment && this.rows.isAtEnd(segment) ? lastSettled(segment) : undefined;
    if (this.#following || position === undefined)
      return { anchor: { kind: "end" }, before: after, after: 0 };
    return { anchor: { kind: "position", position }, before: 0, after };
  }

  #receive(view: OutputWindowView): boolean {
    const before = this.rows.length;
    this.rows.add(view);
    this.#keepInside();
    if (this.#debt !== 0) this.#scroll(this.#debt);
    const isNew = this.rows.length !== before;
    this.rows.evict(this.viewport.anchor.position, maxRows);
    return isNew;
  }

  #fail(cause: unknown): void {
    this.#error = ApiError.from(cause);
    this.#growth = "none";
    this.#arriveAt(undefined);
  }
}

function jumpKey(anchor: OutputAnchor): string {
  return `jump ${JSON.stringify(anchor)}`;
}
