import type { ReactElement } from "react";
import {
  formatDateTime,
  formatPastTime,
  formatRelativeTime,
  type Timestamp,
  toMilliseconds,
} from "./time";
import { useNow } from "./useNow";

const minute = 60_000;

export interface RelativeTimeProps {
  at: Timestamp;
  /** Set for a time that may really be ahead, such as a due time. */
  mayBeFuture?: boolean;
}

/**
 * A time relative to now, with the exact time on hover. Updates every second in the first minute,
 * then every minute. A past time that the backend's clock puts ahead of this one reads "now".
 */
export function RelativeTime({ at, mayBeFuture = false }: RelativeTimeProps): ReactElement {
  const isRecent = Math.abs(Date.now() - toMilliseconds(at)) < minute;
  const now = useNow(isRecent ? 1_000 : minute);
  const moment = new Date(toMilliseconds(at));
  return (
    <time
      dateTime={Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()}
      title={formatDateTime(at)}
      className="whitespace-nowrap tabular-nums"
    >
      {mayBeFuture ? formatRelativeTime(at, now) : formatPastTime(at, now)}
    </time>
  );
}
