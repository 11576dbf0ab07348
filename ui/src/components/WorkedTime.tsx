import type { ReactElement } from "react";
import type { WorkTime } from "@/api/bindings";
import { Duration } from "./Duration";
import { workedDuration, workTimeTitle } from "./workTime";

export interface WorkedTimeProps {
  times: WorkTime;
  /** Shows the time up to this moment. */
  past?: number | undefined;
}

/**
 * How long a node, an attempt or a session worked, from spawn to exit; ticks while one is live. The
 * tooltip names all of its times. Nothing if nothing was started.
 */
export function WorkedTime({ times, past }: WorkedTimeProps): ReactElement | null {
  const shown = workedDuration(times, past);
  if (shown === undefined) return null;
  return (
    <span title={"since" in shown ? "Worked so far" : workTimeTitle(times)}>
      <Duration {...shown} />
    </span>
  );
}
