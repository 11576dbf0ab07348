import type { ReactElement } from "react";
import { formatElapsed } from "./duration";
import { type Timestamp, toMilliseconds } from "./time";
import { useNow } from "./useNow";

/**
 * A finished duration in milliseconds, `null` if it is unknown, or the start of one that is still
 * running and ticks.
 */
export type DurationProps = { milliseconds: number | null } | { since: Timestamp };

/** Shows how long something took, or has been running. */
export function Duration(props: DurationProps): ReactElement {
  const now = useNow("since" in props ? 1_000 : 0);
  // The shared clock may be slightly behind `since`.
  const span =
    "since" in props ? Math.max(0, now - toMilliseconds(props.since)) : props.milliseconds;
  return (
    <span className="whitespace-nowrap tabular-nums">{formatElapsed(span ?? Number.NaN)}</span>
  );
}
