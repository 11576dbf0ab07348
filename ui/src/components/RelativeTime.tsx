import type { ReactElement } from "react";
import { exactTime, type Moment, milliseconds, relativeTime } from "./time";
import { useNow } from "./useNow";

const minute = 60_000;

/** How long ago, or how soon; the exact moment on hover. Ticks by the second in the first minute, then by the minute. */
export function RelativeTime({ at }: { at: Moment }): ReactElement {
  const young = Math.abs(Date.now() - milliseconds(at)) < minute;
  const now = useNow(young ? 1_000 : minute);
  const moment = new Date(milliseconds(at));
  return (
    <time
      dateTime={Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()}
      title={exactTime(at)}
      className="whitespace-nowrap tabular-nums"
    >
      {relativeTime(at, now)}
    </time>
  );
}
