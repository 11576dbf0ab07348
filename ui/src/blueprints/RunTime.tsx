import type { ReactElement } from "react";
import type { RunSummary } from "@/api/bindings";
import { Duration } from "@/components/Duration";
import { RelativeTime } from "@/components/RelativeTime";
import { isRunning } from "./planStatus";

/** When a run started, and how long it took or has taken so far. */
export function RunTime({ run }: { run: RunSummary }): ReactElement {
  return (
    <span className="text-12 text-muted">
      <RelativeTime at={run.startedAt} />
      <Span run={run} />
    </span>
  );
}

function Span({ run }: { run: RunSummary }): ReactElement | null {
  // No time is shown while a run is paused or its executor is gone.
  if (run.endedAt === null && !isRunning(run)) return null;
  return (
    <span title="Elapsed, including pauses" className="text-faint">
      {" · "}
      {run.endedAt === null ? (
        <Duration since={run.startedAt} />
      ) : (
        <Duration milliseconds={Math.max(0, run.endedAt - run.startedAt)} />
      )}
    </span>
  );
}
