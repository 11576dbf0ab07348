import { type ReactElement, useState } from "react";
import type { Used } from "@/api/bindings";
import { costWords, tokenWords } from "@/components/quantity";
import { SegmentedControl } from "@/components/SegmentedControl";
import { ColumnChart, UntoldMark } from "./ColumnChart";
import type { Column } from "./columns";
import { totalOf, untoldWords } from "./used";

type Measure = "cost" | "tokens";

const measures = {
  cost: {
    title: "Cost",
    told: ({ usd }: Used) => usd,
    untold: ({ withoutUsd }: Used) => withoutUsd,
    words: costWords,
  },
  tokens: {
    title: "Tokens",
    told: ({ tokens }: Used) => totalOf(tokens),
    untold: ({ withoutTokens }: Used) => withoutTokens,
    words: tokenWords,
  },
};

/** What agents used by when their sessions were begun. A column with a ring holds sessions that did not tell. */
export function UsedChart({ columns, used }: { columns: Column[]; used: Used }): ReactElement {
  const [measure, measureBy] = useState<Measure>(used.usd === null ? "tokens" : "cost");
  const { title, told, untold, words } = measures[measure];
  const sentence = (used: Used) =>
    used.sessions === 0
      ? "no agent worked"
      : [words(told(used)), untoldWords(untold(used), used.sessions)].filter(Boolean).join(", ");

  return (
    <ColumnChart
      title={title}
      columns={columns.map(({ day, label, used }) => ({
        key: day,
        label,
        words: `${label}: ${sentence(used)}`,
        parts: [{ key: measure, value: told(used) ?? 0, fill: "bg-accent" }],
        untold: untold(used) > 0,
      }))}
      topWords={words}
      summary={sentence(used)}
      legend={
        <>
          {untold(used) > 0 && (
            <span className="flex items-center gap-1.5 text-muted">
              <UntoldMark />
              Some did not tell
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
