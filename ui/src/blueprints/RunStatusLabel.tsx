import type { ReactElement } from "react";
import type { PlanSummary } from "@/api/bindings";
import { Button } from "@/components/Button";
import { RunStateLabel } from "@/components/RunStateLabel";
import { summarizeRunStatus } from "@/components/runStatus";
import { StateLabel } from "@/components/StateLabel";
import { describeExecutorSilence, isAbandoned } from "./planStatus";

/** The status of the last run, with a Resume button if its executor is gone. */
export function RunStatusLabel({
  plan: { lastRun, damage },
  waitingForPerson,
  onResume,
}: {
  plan: PlanSummary;
  /** A session of the run waits for a person's answer. */
  waitingForPerson: boolean;
  onResume: () => void;
}): ReactElement {
  if (damage) {
    return (
      <span className="text-12 text-danger-fg" title={damage}>
        Damaged
      </span>
    );
  }
  if (!lastRun) return <span className="text-12 text-faint">Not run yet</span>;
  if (isAbandoned(lastRun)) {
    return (
      <span className="flex items-center gap-0.5">
        <StateLabel state="interrupted" />
        <Button
          kind="ghost"
          size="small"
          tabIndex={-1}
          className="h-5 px-1.5 text-accent-fg!"
          title="Baton exited during this run. Finished nodes are kept."
          onClick={(event) => {
            event.stopPropagation();
            onResume();
          }}
        >
          Resume
        </Button>
      </span>
    );
  }
  if (waitingForPerson) return <StateLabel state="waiting" waitingFor="person" />;
  const { state } = lastRun;
  const silence = describeExecutorSilence(lastRun);
  if (silence) {
    return (
      <span title={silence}>
        <RunStateLabel state="stalled" pill={false} />
      </span>
    );
  }
  return (
    <span className="flex min-w-0" title={"message" in state ? state.message : undefined}>
      <RunStateLabel {...summarizeRunStatus(lastRun)} pill={false} />
    </span>
  );
}
