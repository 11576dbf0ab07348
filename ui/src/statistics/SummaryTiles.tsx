import type { ReactElement, ReactNode } from "react";
import { Link } from "react-router";
import type { Statistics } from "@/api/bindings";
import { formatElapsed } from "@/components/duration";
import { formatCount, formatNumber } from "@/components/formatCount";
import { formatCost, formatTokens } from "@/components/formatUsage";
import { paths } from "@/shell/paths";
import { endedRuns, formatPercent, openRuns, totalRuns } from "./runCounts";
import { endedStates, type RunsAddress } from "./runsAddress";
import { describeUnreported, formatTokenBreakdown, totalTokens } from "./usage";

/** The totals, one per tile. Figures of runs lead to these runs. */
export function SummaryTiles({
  figures,
  runsAddress,
}: {
  figures: Statistics;
  runsAddress: RunsAddress;
}): ReactElement {
  const { runs, completionRate, runDurations, plans, used, takeovers } = figures;
  const open = openRuns(runs);
  const planCount = Object.values(plans.reviews).reduce((sum, count) => sum + count, 0);
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(--spacing(37),1fr))] overflow-hidden rounded-card border bg-surface">
      <Tile name="Runs" value={formatNumber(totalRuns(runs))} to={runsAddress()}>
        {open === 0 ? "All finished" : `${formatNumber(open)} in progress`}
      </Tile>
      <Tile
        name="Completed"
        value={completionRate === null ? undefined : formatPercent(completionRate)}
        to={runsAddress({ states: ["completed"] })}
      >
        {completionRate === null
          ? "No finished runs"
          : `of ${formatCount(endedRuns(runs), "finished run")}`}
      </Tile>
      <Tile
        name="Run time"
        value={runDurations === null ? undefined : formatElapsed(runDurations.medianMs)}
        to={runsAddress({ states: endedStates, sort: "longest" })}
      >
        {runDurations === null
          ? "No finished runs"
          : `median elapsed; mean ${formatElapsed(runDurations.meanMs)}`}
      </Tile>
      <Tile
        name="Cost"
        value={used.sessions === 0 ? undefined : formatCost(used.usd)}
        whole={used.usd === null ? undefined : `$${used.usd}`}
        to={runsAddress({ sort: "costliest" })}
      >
        {used.sessions === 0
          ? "No agent sessions"
          : (describeUnreported(used.withoutUsd, used.sessions) ?? "estimated by agents")}
      </Tile>
      <Tile
        name="Tokens"
        value={used.sessions === 0 ? undefined : formatTokens(totalTokens(used.tokens))}
        whole={used.tokens === null ? undefined : formatTokenBreakdown(used.tokens)}
      >
        {used.sessions === 0
          ? "No agent sessions"
          : (describeUnreported(used.withoutTokens, used.sessions) ?? "including cached tokens")}
      </Tile>
      <Tile name="Blueprints" value={formatNumber(planCount)} to={paths.blueprints}>
        {plans.meanNodes === null
          ? "None yet"
          : `${plans.meanNodes.toFixed(1)} nodes on average, ${formatNumber(plans.mostNodes ?? 0)} at most`}
      </Tile>
      {takeovers.count > 0 && (
        <Tile name="Takeovers" value={formatNumber(takeovers.count)}>
          {takeovers.meanRecoveryMs === null
            ? "from another executor"
            : `after ${formatElapsed(takeovers.meanRecoveryMs)} on average`}
        </Tile>
      )}
      <Rate name="Takeover rate" rate={takeovers.takeoverRate} shown={takeovers.count > 0}>
        of runs
      </Rate>
      <Rate
        name="Premature takeovers"
        rate={takeovers.displacementRate}
        shown={takeovers.count > 0}
      >
        of takeovers were from an executor that later came back
      </Rate>
      <Rate name="No sessions lost" rate={takeovers.inheritedWholeRate} shown={takeovers.count > 0}>
        of takeovers kept all sessions
      </Rate>
    </dl>
  );
}

/** A tile with a percentage. Renders nothing without a rate. */
function Rate({
  name,
  rate,
  shown,
  children,
}: {
  name: string;
  rate: number | null;
  shown: boolean;
  children: ReactNode;
}): ReactElement | null {
  if (!shown || rate === null) return null;
  return (
    <Tile name={name} value={formatPercent(rate)}>
      {children}
    </Tile>
  );
}

/** A number with its name and a note. Shows a dash without a number. */
function Tile({
  name,
  value,
  whole,
  to,
  children,
}: {
  name: string;
  value: string | undefined;
  /** The unrounded value, as tooltip. */
  whole?: string | undefined;
  /** Where the value leads. */
  to?: string;
  children: ReactNode;
}): ReactElement {
  const isNumber = value !== undefined && value !== "unknown";
  return (
    <div className="-mr-px -mb-px flex min-w-0 flex-col border-r border-b px-4 py-3">
      <dt className="text-12 text-muted">{name}</dt>
      <dd
        title={whole}
        className={
          isNumber ? "font-semibold text-18 tabular-nums" : "h-6 text-13 text-faint leading-6!"
        }
      >
        {to !== undefined && value !== undefined ? (
          <Link to={to} aria-label={`${name}: ${value}`} className="hover:underline">
            {value}
          </Link>
        ) : (
          (value ?? "–")
        )}
      </dd>
      <dd className="text-balance text-12 text-faint tabular-nums">{children}</dd>
    </div>
  );
}
