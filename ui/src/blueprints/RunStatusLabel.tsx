import type { ReactElement, ReactNode } from "react";
import type { NodeStatus, PlanSummary } from "@/api/bindings";
import { Button } from "@/components/Button";
import { RunStateLabel } from "@/components/RunStateLabel";
import { summarizeRunStatus } from "@/components/runStatus";
import { StateLabel } from "@/components/StateLabel";
import { describeExecutorSilence, isAbandoned } from "./planStatus";

/**
 * The status of the last run, with a Resume button if its executor is gone. If it is about single
 * nodes, it leads to the first of them.
 */
export function RunStatusLabel({
  plan: { lastRun, damage },
  waitingForPerson,
  onResume,
  onOpenAt,
}: {
  plan: PlanSummary;
  /** A session of the run waits for a person's answer. */
  waitingForPerson: boolean;
  onResume: () => void;
  /** Opens the blueprint at a node in this state. */
  onOpenAt: (state: NodeStatus) => void;
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
  if (waitingForPerson)
    return (
      <StatusButton title="Show the question" onOpen={() => onOpenAt("waiting")}>
        <StateLabel state="waiting" waitingFor="person" />
      </StatusButton>
    );
  const { state } = lastRun;
  const silence = describeExecutorSilence(lastRun);
  if (silence) {
    return (
      <span title={silence}>
        <RunStateLabel state="stalled" pill={false} />
      </span>
    );
  }
  const label = (
    <span className="flex min-w-0" title={"message" in state ? state.message : undefined}>
      <RunStateLabel {...summarizeRunStatus(lastRun)} pill={false} />
    </span>
  );
  const cause = causeOf(lastRun);
  return cause ? (
    <StatusButton title={cause.title} onOpen={() => onOpenAt(cause.state)}>
      {label}
    </StatusButton>
  ) : (
    label
  );
}

/** The nodes that a run's status is about. */
function causeOf({
  progress,
  skippedFailures = 0,
}: NonNullable<PlanSummary["lastRun"]>): { state: NodeStatus; title: string } | undefined {
  if (progress.includes("failed")) return { state: "failed", title: "Show the failed node" };
  if (progress.includes("interrupted"))
    return { state: "interrupted", title: "Show the interrupted node" };
  if (skippedFailures > 0) return { state: "failed_skipped", title: "Show the skipped failure" };
  return undefined;
}

/** Not a tab stop: the list is one, and Enter opens the blueprint. */
function StatusButton(props: {
  title: string;
  onOpen: () => void;
  children: ReactNode;
}): ReactElement {
  return (
    <button
      type="button"
      tabIndex={-1}
      title={props.title}
      onClick={(event) => {
        event.stopPropagation();
        props.onOpen();
      }}
      className="flex min-w-0 hover:underline"
    >
      {props.children}
    </button>
  );
}
