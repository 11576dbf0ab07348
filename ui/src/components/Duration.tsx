import type { ReactElement } from "react";
import { formatElapsed, formatRunning } from "./duration";
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
  const text =
    "since" in props
      ? formatRunning(now - toMilliseconds(props.since))
      : formatElapsed(props.milliseconds ?? Number.NaN);
  return <span className="whitespace-nowrap tabular-nums">{text}</span>;
}
