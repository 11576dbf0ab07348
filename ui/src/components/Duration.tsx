import type { ReactElement } from "react";
import { formatElapsed } from "./duration";
import { type Timestamp, toMilliseconds } from "./time";
import { useNow } from "./useNow";

/** A finished span in milliseconds, or one that began `since` and still runs and ticks. */
export type DurationProps = { milliseconds: number } | { since: Timestamp };

/** How long something took, or takes so far. */
export function Duration(props: DurationProps): ReactElement {
  const now = useNow("since" in props ? 1_000 : 0);
  // The shared clock may be older than a start of this very moment.
  const span =
    "since" in props ? Math.max(0, now - toMilliseconds(props.since)) : props.milliseconds;
  return <span className="whitespace-nowrap tabular-nums">{formatElapsed(span)}</span>;
}
