import type { ReactElement } from "react";
import { Link } from "react-router";
import type { AttemptCounts, Durations, UsageTotals } from "@/api/bindings";
import { formatElapsed } from "@/components/duration";
import { formatNumber } from "@/components/formatCount";
import { Table, TableCell, TableHead, TableRow } from "@/components/Table";
import { AttemptsBar } from "./AttemptsBar";
import { totalAttempts } from "./attemptCounts";
import { describeUnreported, formatCostCell, formatTokensCell } from "./usage";

export interface AttemptsRow {
  name: string;
  attempts: AttemptCounts;
  durations: Durations | null;
  /** What its sessions used; omitted for kinds that use no agent. */
  used?: UsageTotals;
}

const right = "text-right";

/** Groups of attempts with their outcomes, durations and usage. */
export function AttemptsTable({
  of,
  rows,
}: {
  /** What the attempts are grouped by, such as "Agent". */
  of: string;
  rows: AttemptsRow[];
}): ReactElement {
  const uses = rows.some(({ used }) => used !== undefined);
  return (
    <Table aria-label={`Attempts by ${of.toLowerCase()}`}>
      <thead>
        <tr>
          <TableHead>{of}</TableHead>
          <TableHead className="w-32">Outcomes</TableHead>
          <TableHead className={`w-20 ${right}`}>Attempts</TableHead>
          <TableHead className={`w-16 ${right}`}>Done</TableHead>
          <TableHead className={`w-16 ${right}`}>Failed</TableHead>
          <TableHead className={`w-14 ${right}`}>Lost</TableHead>
          <TableHead className={`w-32 ${right}`}>Worked, median</TableHead>
          <TableHead className={`w-24 ${right}`}>Mean</TableHead>
          {uses && <TableHead className={`w-20 ${right}`}>Tokens</TableHead>}
          {uses && <TableHead className={`w-20 ${right}`}>Cost</TableHead>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.name} {...row} uses={uses} />
        ))}
      </tbody>
    </Table>
  );
}

function Row({
  name,
  attempts,
  durations,
  used,
  uses,
}: AttemptsRow & { uses: boolean }): ReactElement {
  return (
    <TableRow>
      <TableCell title={name} dir="auto" className="font-medium">
        {name}
      </TableCell>
      <TableCell>
        <AttemptsBar attempts={attempts} />
      </TableCell>
      <TableCell numeric>{formatNumber(totalAttempts(attempts))}</TableCell>
      <TableCell numeric>{formatNumber(attempts.succeeded)}</TableCell>
      <TableCell numeric>{formatNumber(attempts.failed)}</TableCell>
      <TableCell numeric>{formatNumber(attempts.lost)}</TableCell>
      <TableCell numeric>{durations && formatElapsed(durations.medianMs)}</TableCell>
      <TableCell numeric>{durations && formatElapsed(durations.meanMs)}</TableCell>
      {uses && <UsageCells used={used} />}
    </TableRow>
  );
}

/** Tokens and cost. A "+" marks partial sums; the tooltip says how many sessions did not report. */
export function UsageCells({
  used,
  costLink,
}: {
  used: UsageTotals | undefined;
  /** Where the cost leads, and what is there. */
  costLink?: { to: string; of: string };
}): ReactElement {
  if (!used)
    return (
      <>
        <TableCell />
        <TableCell />
      </>
    );
  return (
    <>
      <TableCell numeric title={describeUnreported(used.withoutTokens, used.sessions)}>
        {formatTokensCell(used)}
      </TableCell>
      <TableCell numeric title={describeUnreported(used.withoutUsd, used.sessions)}>
        {costLink && used.sessions > 0 ? (
          <Link
            to={costLink.to}
            aria-label={`${formatCostCell(used)}: ${costLink.of}`}
            className="hover:underline"
          >
            {formatCostCell(used)}
          </Link>
        ) : (
          formatCostCell(used)
        )}
      </TableCell>
    </>
  );
}
