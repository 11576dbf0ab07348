import type { ReactElement } from "react";
import type { RunCounts } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { stateFill } from "@/components/nodeState";
import { RunStateLabel } from "@/components/RunStateLabel";
import { ColumnChart } from "./ColumnChart";
import type { PeriodColumn } from "./chartColumns";
import { describeRuns, runStates } from "./runCounts";

/** Runs by start date, stacked by their current state. */
export function RunsChart({
  columns,
  runs,
}: {
  columns: PeriodColumn[];
  runs: RunCounts;
}): ReactElement {
  return (
    <ColumnChart
      title="Runs"
      columns={columns.map(({ day, label, runs }) => ({
        key: day,
        label,
        description: `${label}: ${describeRuns(runs)}`,
        parts: runStates.map(({ state, hue }) => ({
          key: state,
          value: runs[state],
          fill: stateFill[hue],
        })),
      }))}
      formatTop={formatNumber}
      summary={describeRuns(runs)}
      legend={runStates
        .filter(({ state }) => runs[state] > 0)
        .map(({ state }) => <RunStateLabel key={state} state={state} pill={false} />)}
    />
  );
}
