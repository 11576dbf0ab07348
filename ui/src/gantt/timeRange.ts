/** The visible time range, in milliseconds since 1970. Pure. */
export interface TimeRange {
  from: number;
  to: number;
}

/** The smallest range, because events have a resolution of milliseconds. */
const minRangeMs = 20;

/** The position of a time within a range: 0 at its start, 1 at its end. */
export function fractionInRange({ from, to }: TimeRange, at: number): number {
  return (at - from) / (to - from);
}

/** The whole run, with a small margin at the end. */
export function fullRange(from: number, to: number): TimeRange {
  const span = Math.max(minRangeMs, to - from);
  return { from, to: from + span * 1.03 };
}

/**
 * Zooms a range by `factor`; the time `around` keeps its position. The result never exceeds
 * `whole`.
 */
export function zoomRange(
  range: TimeRange,
  factor: number,
  around: number,
  whole: TimeRange,
): TimeRange {
  const most = whole.to - whole.from;
  const span = Math.min(most, Math.max(minRangeMs, (range.to - range.from) / factor));
  const from = around - fractionInRange(range, around) * span;
  return clampRange({ from, to: from + span }, whole);
}

/** Moves a range by a fraction of its length; 1 shows the next section. */
export function panRange(range: TimeRange, by: number, whole: TimeRange): TimeRange {
  const way = by * (range.to - range.from);
  return clampRange({ from: range.from + way, to: range.to + way }, whole);
}

function clampRange({ from, to }: TimeRange, whole: TimeRange): TimeRange {
  const span = to - from;
  const start = Math.max(whole.from, Math.min(from, whole.to - span));
  return { from: start, to: start + span };
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const tickSteps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * day),
];

/** Tick times for an axis, at most `most`, at round distances from the start of the run. */
export function axisTicks({ from, to }: TimeRange, begun: number, most: number): number[] {
  const step = tickSteps.find((each) => (to - from) / each <= most) ?? (to - from) / most;
  const ticks: number[] = [];
  for (let tick = Math.ceil((from - begun) / step); begun + tick * step <= to; tick += 1)
    ticks.push(begun + tick * step);
  return ticks;
}
