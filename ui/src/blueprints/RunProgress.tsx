import type { ReactElement } from "react";
import type { NodeStatus, PlanSummary } from "@/api/bindings";
import { formatCount, formatNumber } from "@/components/formatCount";
import { ProgressSegments } from "@/components/ProgressSegments";
import { formatSkippedFailures, settledCount } from "@/components/progress";

/** The progress of the last run as a bar and a count. Without a run, only the number of nodes. */
export function RunProgress({
  plan,
  onOpen,
}: {
  plan: PlanSummary;
  /** Opens the blueprint at a node in this state. Not for condensed bars, which are only samples. */
  onOpen?: (state: NodeStatus) => void;
}): ReactElement {
  const { lastRun, nodeCount, tally } = plan;
  if (!lastRun) {
    return (
      <span className="text-12 text-faint tabular-nums">{formatCount(nodeCount, "node")}</span>
    );
  }
  // The bar of a large plan is condensed: its segments cannot be counted.
  const { settled, total } = tally ?? {
    settled: settledCount(lastRun.progress),
    total: lastRun.progress.length,
  };
  const failures = lastRun.skippedFailures ?? 0;
  const words = `${formatNumber(settled)} of ${formatNumber(total)} finished${failures > 0 ? `, ${formatSkippedFailures(failures)}` : ""}`;
  return (
    <span className="flex items-center gap-2">
      <ProgressSegments
        states={lastRun.progress}
        {...(total <= lastRun.progress.length && { onOpen })}
        {...(total > lastRun.progress.length && { label: words })}
      />
      <span className="min-w-10 shrink-0 whitespace-nowrap text-right text-12 text-muted tabular-nums">
        {`${formatNumber(settled)}/${formatNumber(total)}`}
      </span>
    </span>
  );
}
