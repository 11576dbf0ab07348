import { type ReactElement, useState } from "react";
import type { UsageTotals } from "@/api/bindings";
import { formatCost, formatTokens } from "@/components/formatUsage";
import { SegmentedControl } from "@/components/SegmentedControl";
import { ColumnChart, UnreportedMark } from "./ColumnChart";
import type { PeriodColumn } from "./chartColumns";
import { describeUnreported, totalTokens } from "./usage";

type Measure = "cost" | "tokens";

const measures = {
  cost: {
    title: "Cost",
    known: ({ usd }: UsageTotals) => usd,
    unreported: ({ withoutUsd }: UsageTotals) => withoutUsd,
    format: formatCost,
  },
  tokens: {
    title: "Tokens",
    known: ({ tokens }: UsageTotals) => totalTokens(tokens),
    unreported: ({ withoutTokens }: UsageTotals) => withoutTokens,
    format: formatTokens,
  },
};

/**
 * Usage by start date of the sessions. A ring below a column marks sessions that did not report
 * theirs.
 */
export function UsageChart({
  columns,
  used,
}: {
  columns: PeriodColumn[];
  used: UsageTotals;
}): ReactElement {
  const [measure, measureBy] = useState<Measure>(used.usd === null ? "tokens" : "cost");
  const { title, known, unreported, format } = measures[measure];
  const sentence = (used: UsageTotals) =>
    used.sessions === 0
      ? "no agent sessions"
      : [format(known(used)), describeUnreported(unreported(used), used.sessions)]
          .filter(Boolean)
          .join(", ");

  return (
    <ColumnChart
      title={title}
      columns={columns.map(({ day, label, used }) => ({
        key: day,
        label,
        description: `${label}: ${sentence(used)}`,
        parts: [{ key: measure, value: known(used) ?? 0, fill: "bg-accent" }],
        hasUnreported: unreported(used) > 0,
      }))}
      formatTop={format}
      summary={sentence(used)}
      legend={
        <>
          {unreported(used) > 0 && (
            <span className="flex items-center gap-1.5 text-muted">
              <UnreportedMark />
              Some unreported
            </span>
          )}
          <SegmentedControl
            label="Measure"
            options={[
              { id: "cost", label: "Cost" },
              { id: "tokens", label: "Tokens" },
            ]}
            value={measure}
            onChange={measureBy}
          />
        </>
      }
    />
  );
}
