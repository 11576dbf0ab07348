import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { paths } from "@/shell/paths";
import { totalRuns } from "./runCounts";
import { useStatisticsQuery } from "./useStatisticsQuery";

/** Nothing was begun: ever, or of what is asked for. */
export function NoRuns(): ReactElement | null {
  const { range, plan, setRange, setPlan } = useStatisticsQuery();
  const all = useOperation("statistics_get", { since: null, plan: null });
  if (all.isPending) return null;
  if (all.data && totalRuns(all.data.runs) === 0)
    return (
      <EmptyState
        title="Nothing has run yet"
        actions={<ButtonLink to={paths.blueprints}>Open blueprints</ButtonLink>}
      >
        Once a blueprint runs, this page counts its runs: how they ended, how long they took, what
        failed, and what agents used.
      </EmptyState>
    );
  return (
    <EmptyState
      title={range === "all" ? "This blueprint has not run" : "No runs in this period"}
      actions={
        <>
          {range !== "all" && <Button onClick={() => setRange("all")}>Show all time</Button>}
          {plan !== undefined && (
            <Button onClick={() => setPlan(undefined)}>Show all blueprints</Button>
          )}
        </>
      }
    >
      {plan === undefined ? "There are older runs." : "Other blueprints have run."}
    </EmptyState>
  );
}
