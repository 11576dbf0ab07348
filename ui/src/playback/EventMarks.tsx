import { memo, type ReactElement } from "react";
import type { RunStateChange } from "@/api/bindings";
import { type MomentMark, momentMark } from "@/run/stateHistory";

const markColors: Record<MomentMark, string> = {
  start: "text-state-running",
  end: "text-state-done",
  question: "text-state-waiting",
  failure: "text-state-failed",
};

/**
 * The start and end of each mark, in pixels. The most severe marks are the longest and are painted
 * last.
 */
const extents: Record<MomentMark, [number, number]> = {
  start: [18, 26],
  end: [6, 14],
  question: [3, 29],
  failure: [3, 29],
};

const paintOrder: readonly MomentMark[] = ["start", "end", "question", "failure"];

export interface EventMarksProps {
  moments: readonly RunStateChange[];
  /** The width of the timeline, in pixels. */
  width: number;
}

/** The events of a run on the timeline: one SVG path per kind, regardless of their number. */
export const EventMarks = memo(function EventMarks({
  moments,
  width,
}: EventMarksProps): ReactElement {
  const columns = columnsOf(moments, width);
  return (
    <svg aria-hidden="true" width={width} height={32} className="absolute inset-0">
      {paintOrder.map((mark) => (
        <path
          key={mark}
          className={markColors[mark]}
          stroke="currentColor"
          strokeWidth={2}
          d={[...columns[mark]]
            .map((x) => `M${x} ${extents[mark][0]}V${extents[mark][1]}`)
            .join("")}
        />
      ))}
    </svg>
  );
});

/** Returns the pixel columns with events of each kind, which limits the number of strokes. */
export function columnsOf(
  moments: readonly RunStateChange[],
  width: number,
): Record<MomentMark, ReadonlySet<number>> {
  const columns: Record<MomentMark, Set<number>> = {
    start: new Set(),
    end: new Set(),
    question: new Set(),
    failure: new Set(),
  };
  const [first, last] = [moments[0]?.at ?? 0, moments.at(-1)?.at ?? 0];
  const scale = Math.max(0, width - 2) / Math.max(1, last - first);
  for (const moment of moments) {
    const mark = momentMark(moment);
    if (mark) columns[mark].add(1 + Math.round((moment.at - first) * scale));
  }
  return columns;
}
