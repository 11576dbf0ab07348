import type { ReactElement } from "react";
import { Link } from "react-router";
import type { PlanStatistics } from "@/api/bindings";
import { formatElapsed } from "@/components/duration";
import { formatCount, formatNumber } from "@/components/formatCount";
import { Table, TableCell, TableHead, TableRow } from "@/components/Table";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import { UsageCells } from "./AttemptsTable";
import { totalRuns } from "./runCounts";
import { endedStates, type RunsAddress } from "./runsAddress";

const right = "text-right";

/** The blueprints that have run, most expensive first. Each figure leads to its runs. */
export function PlansTable({
  plans,
  runsAddress,
}: {
  plans: PlanStatistics[];
  runsAddress: RunsAddress;
}): ReactElement {
  return (
    <Table aria-label="Runs by blueprint">
      <thead>
        <tr>
          <TableHead>Blueprint</TableHead>
          <TableHead className={`w-20 ${right}`}>Runs</TableHead>
          <TableHead className={`w-24 ${right}`}>Completed</TableHead>
          <TableHead className={`w-20 ${right}`}>Failed</TableHead>
          <TableHead className={`w-32 ${right}`}>Elapsed, median</TableHead>
          <TableHead className={`w-20 ${right}`}>Tokens</TableHead>
          <TableHead className={`w-20 ${right}`}>Cost</TableHead>
        </tr>
      </thead>
      <tbody>
        {plans.map(({ plan, title, runs, durations, used }) => (
          <TableRow key={plan}>
            <TableCell title={displayTitle(title)}>
              <Link to={paths.blueprint(plan)} dir="auto" className="font-medium hover:underline">
                {displayTitle(title)}
              </Link>
            </TableCell>
            <TableCell numeric>
              <Count
                value={totalRuns(runs)}
                noun="run"
                plan={displayTitle(title)}
                to={runsAddress({ plan })}
              />
            </TableCell>
            <TableCell numeric>
              <Count
                value={runs.completed}
                noun="completed run"
                plan={displayTitle(title)}
                to={runsAddress({ plan, states: ["completed"] })}
              />
            </TableCell>
            <TableCell numeric>
              <Count
                value={runs.failed}
                noun="failed run"
                plan={displayTitle(title)}
                to={runsAddress({ plan, states: ["failed"] })}
              />
            </TableCell>
            <TableCell numeric>
              {durations && (
                <Link
                  to={runsAddress({ plan, states: endedStates, sort: "longest" })}
                  aria-label={`${formatElapsed(durations.medianMs)}: longest runs of ${displayTitle(title)}`}
                  className="hover:underline"
                >
                  {formatElapsed(durations.medianMs)}
                </Link>
              )}
            </TableCell>
            <UsageCells
              used={used}
              costLink={{
                to: runsAddress({ plan, sort: "costliest" }),
                of: `costliest runs of ${displayTitle(title)}`,
              }}
            />
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

/** A number of runs that leads to them. */
function Count(props: {
  value: number;
  /** What is counted, such as "failed run". */
  noun: string;
  /** The title of the blueprint. */
  plan: string;
  to: string;
}): ReactElement {
  const { value, noun, plan, to } = props;
  if (value === 0) return <>0</>;
  return (
    <Link to={to} aria-label={`${formatCount(value, noun)} of ${plan}`} className="hover:underline">
      {formatNumber(value)}
    </Link>
  );
}
