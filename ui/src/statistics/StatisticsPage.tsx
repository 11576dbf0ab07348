import type { ReactElement } from "react";
import type { Statistics, StatisticsGet } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ErrorState } from "@/components/ErrorState";
import { PageHeader } from "@/shell/PageHeader";
import { NoRuns } from "./NoRuns";
import { hasPlanning } from "./PlanningList";
import { Report } from "./Report";
import { totalRuns } from "./runCounts";
import { StatisticsSkeleton } from "./StatisticsSkeleton";
import { StatisticsToolbar } from "./StatisticsToolbar";
import { useStatisticsQuery } from "./useStatisticsQuery";

/** Statistics of all runs, filtered by date range and blueprint. */
export function StatisticsPage(): ReactElement {
  const { input } = useStatisticsQuery();
  // Keep the previous data while loading, so that changing the range does not flicker.
  const figures = useOperation("statistics_get", input, { placeholderData: (before) => before });

  return (
    <>
      <PageHeader title="Statistics" toolbar={<StatisticsToolbar />} />
      {figures.data === undefined && figures.error ? (
        <ErrorState
          title="Couldn't load the statistics"
          detail={figures.error.code}
          onRetry={() => void figures.refetch()}
          retrying={figures.isFetching}
        >
          {figures.error.message}
        </ErrorState>
      ) : figures.data && isEmpty(figures.data) ? (
        <NoRuns />
      ) : (
        <div
          aria-busy={figures.isPlaceholderData}
          className="min-h-0 flex-1 overflow-auto aria-busy:opacity-60"
        >
          <div className="@container mx-auto flex max-w-440 flex-col gap-7 px-6 py-6">
            <Figures figures={figures.data} input={input} />
          </div>
        </div>
      )}
    </>
  );
}

/** Blueprints can be rejected before anything has run. */
function isEmpty({ runs, planning }: Statistics): boolean {
  return totalRuns(runs) === 0 && !hasPlanning(planning);
}

function Figures({
  figures,
  input,
}: {
  figures: Statistics | undefined;
  input: StatisticsGet;
}): ReactElement {
  return figures ? <Report figures={figures} {...input} /> : <StatisticsSkeleton />;
}
