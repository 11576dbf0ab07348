import type { ReactElement, ReactNode } from "react";
import type { PlanId, Statistics } from "@/api/bindings";
import { classes } from "@/components/classes";
import { isKindName, kindLabels } from "@/plan/kinds";
import { paths } from "@/shell/paths";
import { AttemptsTable } from "./AttemptsTable";
import { formatDay, groupIntoColumns } from "./chartColumns";
import { FailureList } from "./FailureList";
import { hasPlanning, PlanningList } from "./PlanningList";
import { PlansTable } from "./PlansTable";
import { ReviewList } from "./ReviewList";
import { RunsChart } from "./RunsChart";
import { totalRuns } from "./runCounts";
import type { RunsAddress } from "./runsAddress";
import { StatisticsSection } from "./StatisticsSection";
import { SummaryTiles } from "./SummaryTiles";
import { UsageChart } from "./UsageChart";

/** All statistics, from general to detailed. */
export function Report({
  figures,
  since,
  plan,
}: {
  figures: Statistics;
  /** The start of the range; null for all time. */
  since: number | null;
  /** The only blueprint whose runs are counted; null for all. */
  plan: PlanId | null;
}): ReactElement {
  const { runs, used, agents, kinds, byPlan, morePlans, unreadable } = figures;
  const columns = groupIntoColumns(figures.days, ...spanOf(figures, since));
  const failures = failuresOf(figures);
  const runsAddress: RunsAddress = (filter) =>
    paths.runsWhere({
      plan: plan ?? undefined,
      since: since === null ? undefined : formatDay(since),
      ...filter,
    });
  return (
    <>
      {totalRuns(runs) === 0 ? (
        <p className="text-muted">Nothing ran in this period.</p>
      ) : (
        <>
          <SummaryTiles figures={figures} runsAddress={runsAddress} />
          <Pair slim>
            <RunsChart columns={columns} runs={runs} />
            {used.sessions > 0 && <UsageChart columns={columns} used={used} />}
          </Pair>
        </>
      )}
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
          <StatisticsSection title="Nodes" note="Attempts by node kind">
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
              morePlans > 0 && `The ${byPlan.length} most expensive of ${byPlan.length + morePlans}`
            }
          >
            <PlansTable plans={byPlan} runsAddress={runsAddress} />
          </StatisticsSection>
        )}
        {hasPlanning(figures.planning) && (
          <StatisticsSection title="Planning">
            <PlanningList planning={figures.planning} />
          </StatisticsSection>
        )}
        <StatisticsSection title="Reviews" note="All time">
          <ReviewList plans={figures.plans} />
        </StatisticsSection>
      </Pair>
      {unreadable > 0 && (
        <p className="text-12 text-muted">
          {unreadable === 1 ? "1 row of the database is" : `${unreadable} rows of the database are`}{" "}
          damaged and not included.
        </p>
      )}
    </>
  );
}

/**
 * Arranges two sections side by side if there is room. `slim` is for charts, which need less room
 * than tables.
 */
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

/** Returns the first and the last day of the charts. */
function spanOf({ days }: Statistics, since: number | null): [string, string] {
  const today = formatDay(Date.now());
  const last = days.at(-1)?.day ?? today;
  const first = since === null ? (days[0]?.day ?? today) : formatDay(since);
  return [first, last > today ? last : today];
}

/** Groups failures by agent, and those of nodes without an agent by kind. */
function failuresOf({ agents, kinds }: Statistics) {
  const byAgent = agents.map(({ agent, failures }) => ({ of: agent, failures }));
  const rest = kinds
    .filter(({ kind }) => kind !== "agent" && kind !== "llm_decision" && kind !== null)
    .map(({ kind, failures }) => ({ of: nameOf(kind), failures }));
  return [...byAgent, ...rest].filter(({ failures }) => failures.length > 0);
}

/** Returns the capitalized label of a kind: "Command". */
function nameOf(kind: string | null): string {
  if (kind === null) return "No longer in the blueprint";
  const word = isKindName(kind) ? kindLabels[kind] : kind;
  return word.charAt(0).toUpperCase() + word.slice(1);
}
