import type { ReactElement } from "react";
import { formatDateTime, formatRelativeTime, type Timestamp, toMilliseconds } from "./time";
import { useNow } from "./useNow";

const minute = 60_000;

/** How long ago, or how soon; the exact moment on hover. Ticks by the second in the first minute, then by the minute. */
export function RelativeTime({ at }: { at: Timestamp }): ReactElement {
  const young = Math.abs(Date.now() - toMilliseconds(at)) < minute;
  const now = useNow(young ? 1_000 : minute);
  const moment = new Date(toMilliseconds(at));
  return (
    <time
      dateTime={Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()}
      title={formatDateTime(at)}
      className="whitespace-nowrap tabular-nums"
    >
      {formatRelativeTime(at, now)}
    </time>
  );
}
