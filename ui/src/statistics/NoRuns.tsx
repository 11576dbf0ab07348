import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { paths } from "@/shell/paths";
import { totalRuns } from "./runCounts";
import { useStatisticsQuery } from "./useStatisticsQuery";

/** The empty state: no runs at all, or none that match the filters. */
export function NoRuns(): ReactElement | null {
  const { range, plan, setRange, setPlan } = useStatisticsQuery();
  const all = useOperation("statistics_get", { since: null, plan: null });
  if (all.isPending) return null;
  if (all.data && totalRuns(all.data.runs) === 0)
    return (
      <EmptyState
        title="No runs yet"
        actions={<ButtonLink to={paths.blueprints}>Open blueprints</ButtonLink>}
      >
        Run a blueprint to see how its runs ended, how long they took, what failed, and what agents
        used.
      </EmptyState>
    );
  return (
    <EmptyState
      title={range === "all" ? "This blueprint hasn't run yet" : "No runs in this period"}
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
