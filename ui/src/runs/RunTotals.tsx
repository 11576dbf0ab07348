import type { ReactElement, ReactNode } from "react";
import { Link } from "react-router";
import type { RunView } from "@/api/bindings";
import { formatElapsed } from "@/components/duration";
import { formatNumber } from "@/components/formatCount";
import { formatCost } from "@/components/formatUsage";
import { settledCount } from "@/components/progress";
import { RelativeTime } from "@/components/RelativeTime";
import { RunStateLabel } from "@/components/RunStateLabel";
import { summarizeRunStatus } from "@/components/runStatus";
import { Table, TableCell, TableHead } from "@/components/Table";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import { difference, totalCost } from "./compareRuns";
import { formatCostDifference, formatTimeDifference } from "./differenceText";

/** The facts of two runs beside each other. */
export function RunTotals({ a, b }: { a: RunView; b: RunView }): ReactElement {
  const isSamePlan = a.summary.plan === b.summary.plan;
  const versions = { from: a.summary.version, to: b.summary.version };
  const spans = [spanOf(a), spanOf(b)] as const;
  const costs = [totalCost(a.nodes), totalCost(b.nodes)] as const;
  return (
    <>
      {!isSamePlan && (
        <p role="status" className="border-b bg-state-waiting-tint px-4 py-1.5">
          These runs are of two blueprints. Only nodes that both have can be compared.
        </p>
      )}
      <Table aria-label="Totals" className="min-w-140 max-w-220">
        <thead>
          <tr>
            <TableHead className="w-32" aria-label="Fact" />
            <TableHead>
              <RunLink run={a} />
            </TableHead>
            <TableHead>
              <RunLink run={b} />
            </TableHead>
            <TableHead className="w-44">Difference</TableHead>
          </tr>
        </thead>
        <tbody>
          <Fact name="State" a={<State run={a} />} b={<State run={b} />} />
          <Fact
            name="Version"
            a={`Version ${versions.from}`}
            b={`Version ${versions.to}`}
            difference={
              isSamePlan &&
              versions.from !== versions.to && (
                <Link
                  to={paths.compare(a.summary.plan, versions)}
                  className="text-accent-fg hover:underline"
                >
                  Compare versions
                </Link>
              )
            }
          />
          <Fact
            name="Started"
            a={<RelativeTime at={a.summary.startedAt} />}
            b={<RelativeTime at={b.summary.startedAt} />}
          />
          <Fact
            name="Duration"
            a={formatSpan(spans[0])}
            b={formatSpan(spans[1])}
            difference={formatTimeDifference(difference(...spans))}
          />
          <Fact
            name="Cost"
            a={formatCost(costs[0])}
            b={formatCost(costs[1])}
            difference={formatCostDifference(difference(...costs))}
          />
          <Fact name="Nodes" a={progressOf(a)} b={progressOf(b)} />
        </tbody>
      </Table>
    </>
  );
}

function RunLink({ run: { summary } }: { run: RunView }): ReactElement {
  return (
    <Link
      to={paths.blueprintAt(summary.plan, { run: summary.id })}
      className="flex min-w-0 gap-1.5 text-fg hover:underline"
    >
      <span className="tabular-nums">#{summary.number}</span>
      <span dir="auto" className="truncate" title={displayTitle(summary.title)}>
        {displayTitle(summary.title)}
      </span>
    </Link>
  );
}

function State({ run }: { run: RunView }): ReactElement {
  return <RunStateLabel {...summarizeRunStatus(run.summary)} pill={false} />;
}

function Fact(props: { name: string; a: ReactNode; b: ReactNode; difference?: ReactNode }) {
  return (
    <tr>
      <th scope="row" className="h-7 border-b px-2 pl-4 font-normal text-12 text-faint">
        {props.name}
      </th>
      <TableCell className="tabular-nums">{props.a}</TableCell>
      <TableCell className="tabular-nums">{props.b}</TableCell>
      <TableCell className="text-muted tabular-nums">{props.difference}</TableCell>
    </tr>
  );
}

/** Milliseconds from its start to its end; `null` while it is open. */
function spanOf({ summary: { startedAt, endedAt } }: RunView): number | null {
  return endedAt === null ? null : Math.max(0, endedAt - startedAt);
}

function formatSpan(span: number | null): string {
  return span === null ? "Not ended" : formatElapsed(span);
}

function progressOf({ nodes }: RunView): string {
  const settled = settledCount(nodes.map(({ state }) => state.state));
  return `${formatNumber(settled)} of ${formatNumber(nodes.length)}`;
}
