import type { PointerEvent, ReactElement } from "react";
import { formatElapsed } from "@/components/duration";
import { formatDateTime } from "@/components/time";
import { useTextScale } from "@/design/textScale";
import { axisTicks, fractionInRange, type TimeRange } from "./timeRange";

/** Units that the words of a line may take; words that would be cut at the end are left out. */
const maxTickWidth = 60;

/** How far lines of the axis are apart at least, in units. */
const tickSpacing = 90;

export interface TimeAxisProps {
  range: TimeRange;
  begun: number;
  /** Of the lanes, in pixels. */
  width: number;
  /** A press means a moment. */
  onPoint: (at: number) => void;
}

/** The time since the run began, above the lanes. A press looks back at that moment; keys do so on the line of time. */
export function TimeAxis({ range, begun, width, onPoint }: TimeAxisProps): ReactElement {
  const unit = useTextScale();
  const ticks = axisTicks(range, begun, Math.max(2, Math.floor(width / (tickSpacing * unit))));

  function point(event: PointerEvent) {
    const box = event.currentTarget.getBoundingClientRect();
    onPoint(range.from + ((event.clientX - box.left) / box.width) * (range.to - range.from));
  }
  return (
    <div
      aria-hidden="true"
      title="View the run at a moment"
      onPointerDown={point}
      className="relative h-6 min-w-0 flex-1 cursor-pointer overflow-hidden text-11 text-faint tabular-nums"
    >
      {ticks.map((at) => (
        <span
          key={at}
          title={formatDateTime(at)}
          style={{ left: `${fractionInRange(range, at) * 100}%` }}
          className="absolute inset-y-0 flex items-center whitespace-nowrap border-l pl-1"
        >
          {(1 - fractionInRange(range, at)) * width > maxTickWidth * unit &&
            (at === begun ? "0" : formatElapsed(at - begun))}
        </span>
      ))}
    </div>
  );
}
