import type { ReactElement } from "react";
import type { PlanSummary } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { ProgressSegments } from "@/components/ProgressSegments";
import { formatSkippedFailures, settledCount } from "@/components/progress";

/** How far the last run is: the picture of the plan and the count; without a run, only how many nodes there are. */
export function RunProgress({ plan }: { plan: PlanSummary }): ReactElement {
  const { lastRun, nodeCount, tally } = plan;
  if (!lastRun) {
    return (
      <span className="text-12 text-faint tabular-nums">{formatCount(nodeCount, "node")}</span>
    );
  }
  // Of a large plan the bar is a picture that counts nothing.
  const { settled, total } = tally ?? {
    settled: settledCount(lastRun.progress),
    total: lastRun.progress.length,
  };
  const failures = lastRun.skippedFailures ?? 0;
  const words = `${settled} of ${total} finished${failures > 0 ? `, ${formatSkippedFailures(failures)}` : ""}`;
  return (
    <span className="flex items-center gap-2">
      <ProgressSegments
        states={lastRun.progress}
        {...(total > lastRun.progress.length && { label: words })}
      />
      <span className="min-w-10 shrink-0 text-right text-12 text-muted tabular-nums">
        {settled}/{total}
      </span>
    </span>
  );
}
