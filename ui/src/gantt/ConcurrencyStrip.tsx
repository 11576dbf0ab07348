import type { ReactElement } from "react";
import { type ConcurrencyStep, peakConcurrency } from "@/run/attemptBars";
import { fractionInRange, type TimeRange } from "./timeRange";

export interface ConcurrencyStripProps {
  steps: readonly ConcurrencyStep[];
  range: TimeRange;
  now: number;
  /** The width of the lanes, in pixels. */
  width: number;
}

const height = 32;
const headroom = 4;

/** A chart of how many nodes ran in parallel over time, drawn as a single path. */
export function ConcurrencyStrip({
  steps,
  range,
  now,
  width,
}: ConcurrencyStripProps): ReactElement {
  return (
    <svg
      role="img"
      aria-label={`Parallel nodes, peak ${peakConcurrency(steps)}`}
      width={width}
      height={height}
      className="block text-state-running"
    >
      <path d={pathOf(columnsOf(steps, range, now, width))} fill="currentColor" />
    </svg>
  );
}

/** The maximum within each pixel column, as a fraction of the overall peak. */
export function columnsOf(
  steps: readonly ConcurrencyStep[],
  range: TimeRange,
  now: number,
  width: number,
): number[] {
  const most = Math.max(1, peakConcurrency(steps));
  const columns = new Array<number>(width).fill(0);
  steps.forEach(({ at, count }, index) => {
    const end = steps[index + 1]?.at ?? now;
    if (count === 0 || end < range.from || at > range.to) return;
    const first = Math.max(0, Math.floor(fractionInRange(range, at) * width));
    const last = Math.min(width - 1, Math.floor(fractionInRange(range, end) * width));
    for (let x = first; x <= last; x += 1) columns[x] = Math.max(columns[x] ?? 0, count / most);
  });
  return columns;
}

function pathOf(columns: readonly number[]): string {
  const room = height - headroom;
  const tops = columns.map((part) => height - Math.round(part * room));
  const line = tops.map((top, x) => (top === tops[x - 1] ? "" : `H${x}V${top}`)).join("");
  return `M0 ${height}${line}H${columns.length}V${height}Z`;
}
