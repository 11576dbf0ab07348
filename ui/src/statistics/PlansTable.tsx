import type { ReactElement } from "react";
import { Link } from "react-router";
import type { PlanStatistics } from "@/api/bindings";
import { formatElapsed } from "@/components/duration";
import { formatNumber } from "@/components/formatCount";
import { Table, TableCell, TableHead, TableRow } from "@/components/Table";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import { UsageCells } from "./AttemptsTable";
import { totalRuns } from "./runCounts";

const right = "text-right";

/** The blueprints that have run, most expensive first. */
export function PlansTable({ plans }: { plans: PlanStatistics[] }): ReactElement {
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
            <TableCell numeric>{formatNumber(totalRuns(runs))}</TableCell>
            <TableCell numeric>{formatNumber(runs.completed)}</TableCell>
            <TableCell numeric>{formatNumber(runs.failed)}</TableCell>
            <TableCell numeric>{durations && formatElapsed(durations.medianMs)}</TableCell>
            <UsageCells used={used} />
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
