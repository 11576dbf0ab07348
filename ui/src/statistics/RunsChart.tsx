import type { ReactElement } from "react";
import type { RunCounts } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { stateFill } from "@/components/nodeState";
import { RunStateLabel } from "@/components/RunStateLabel";
import { ColumnChart } from "./ColumnChart";
import type { Column } from "./columns";
import { runStates, runsSentence } from "./runWords";

/** The runs by when they were begun, each column parted by how they go now. */
export function RunsChart({ columns, runs }: { columns: Column[]; runs: RunCounts }): ReactElement {
  return (
    <ColumnChart
      title="Runs"
      columns={columns.map(({ day, label, runs }) => ({
        key: day,
        label,
        words: `${label}: ${runsSentence(runs)}`,
        parts: runStates.map(({ state, hue }) => ({
          key: state,
          value: runs[state],
          fill: stateFill[hue],
        })),
      }))}
      topWords={formatNumber}
      summary={runsSentence(runs)}
      legend={runStates
        .filter(({ state }) => runs[state] > 0)
        .map(({ state }) => <RunStateLabel key={state} state={state} pill={false} />)}
    />
  );
}
