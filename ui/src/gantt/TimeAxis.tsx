import type { PointerEvent, ReactElement } from "react";
import { formatElapsed } from "@/components/duration";
import { formatDateTime } from "@/components/time";
import { useTextScale } from "@/design/textScale";
import { axisTicks, fractionInRange, type TimeRange } from "./timeRange";

/**
 * The maximum width of a tick label, in units of the text scale. Labels that would be cut off are
 * left out.
 */
const maxTickWidth = 60;

/** The minimum distance between ticks, in units of the text scale. */
const tickSpacing = 90;

export interface TimeAxisProps {
  range: TimeRange;
  begun: number;
  /** The width of the lanes, in pixels. */
  width: number;
  /** Called with the time that was clicked. */
  onPoint: (at: number) => void;
}

/**
 * The time since the start of the run, above the lanes. A click shows the run at that moment; for
 * the keyboard, the playback bar does the same.
 */
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
      title="Click to see the run at this time"
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
