import type { ReactElement, ReactNode } from "react";
import type { Statistics } from "@/api/bindings";
import { classes } from "@/components/classes";
import { isKindName, kindLabels } from "@/plan/kinds";
import { AttemptsTable } from "./AttemptsTable";
import { formatDay, groupIntoColumns } from "./chartColumns";
import { FailureList } from "./FailureList";
import { PlansTable } from "./PlansTable";
import { ReviewList } from "./ReviewList";
import { RunsChart } from "./RunsChart";
import { StatisticsSection } from "./StatisticsSection";
import { SummaryTiles } from "./SummaryTiles";
import { UsageChart } from "./UsageChart";

/** All figures, from the most general to the most particular. */
export function Report({
  figures,
  since,
}: {
  figures: Statistics;
  /** From when on; null from the first run on. */
  since: number | null;
}): ReactElement {
  const { runs, used, agents, kinds, byPlan, morePlans, unreadable } = figures;
  const columns = groupIntoColumns(figures.days, ...spanOf(figures, since));
  const failures = failuresOf(figures);
  return (
    <>
      <SummaryTiles figures={figures} />
      <Pair slim>
        <RunsChart columns={columns} runs={runs} />
        {used.sessions > 0 && <UsageChart columns={columns} used={used} />}
      </Pair>
      <Pair>
        {agents.length > 0 && (
          <StatisticsSection title="Agents" note="Attempts by agent">
            <AttemptsTable
              of="Agent"
              rows={agents.map(({ agent, ...row }) => ({ name: agent, ...row }))}
            />
          </StatisticsSection>
        )}
        {kinds.length > 0 && (
          <StatisticsSection title="Nodes" note="Attempts by kind of node">
            <AttemptsTable
              of="Kind"
              rows={kinds.map(({ kind, ...row }) => ({ name: nameOf(kind), ...row }))}
            />
          </StatisticsSection>
        )}
      </Pair>
      <Pair>
        {failures.length > 0 && (
          <StatisticsSection title="Why attempts failed">
            <FailureList groups={failures} />
          </StatisticsSection>
        )}
        {byPlan.length > 0 && (
          <StatisticsSection
            title="Blueprints"
            note={
              morePlans > 0 && `The ${byPlan.length} that cost most of ${byPlan.length + morePlans}`
            }
          >
            <PlansTable plans={byPlan} />
          </StatisticsSection>
        )}
        <StatisticsSection title="Reviews" note="All time">
          <ReviewList plans={figures.plans} />
        </StatisticsSection>
      </Pair>
      {unreadable > 0 && (
        <p className="text-12 text-muted">
          {unreadable === 1 ? "1 row of the database is" : `${unreadable} rows of the database are`}{" "}
          damaged and not counted.
        </p>
      )}
    </>
  );
}

/** Parts that stand beside each other where there is room, else below each other; charts need less of it than tables. */
function Pair({ slim = false, children }: { slim?: boolean; children: ReactNode }): ReactElement {
  return (
    <div
      className={classes(
        "grid min-w-0 items-start gap-x-10 gap-y-7 [&>*:only-child]:col-span-full",
        slim
          ? "@min-[72rem]:grid-cols-[repeat(2,minmax(0,1fr))]"
          : "@min-[104rem]:grid-cols-[repeat(2,minmax(0,1fr))]",
      )}
    >
      {children}
    </div>
  );
}

/** The first and the last day that are drawn. */
function spanOf({ days }: Statistics, since: number | null): [string, string] {
  const today = formatDay(Date.now());
  const last = days.at(-1)?.day ?? today;
  const first = since === null ? (days[0]?.day ?? today) : formatDay(since);
  return [first, last > today ? last : today];
}

/** Why attempts failed, by agent; of nodes without one by kind. */
function failuresOf({ agents, kinds }: Statistics) {
  const byAgent = agents.map(({ agent, failures }) => ({ of: agent, failures }));
  const rest = kinds
    .filter(({ kind }) => kind !== "agent" && kind !== "llm_decision" && kind !== null)
    .map(({ kind, failures }) => ({ of: nameOf(kind), failures }));
  return [...byAgent, ...rest].filter(({ failures }) => failures.length > 0);
}

/** A kind in words that stand alone: "Command". */
function nameOf(kind: string | null): string {
  if (kind === null) return "No longer in the blueprint";
  const word = isKindName(kind) ? kindLabels[kind] : kind;
  return word.charAt(0).toUpperCase() + word.slice(1);
}
