import { ChevronRight } from "lucide-react";
import { Fragment, type ReactElement, type ReactNode, useMemo, useState } from "react";
import { Link } from "react-router";
import type { NodeId, NodeRunView, RunView } from "@/api/bindings";
import { Button } from "@/components/Button";
import { classes } from "@/components/classes";
import { formatDuration, formatElapsed } from "@/components/duration";
import { EmptyState } from "@/components/EmptyState";
import { formatCount, formatNumber } from "@/components/formatCount";
import { formatCost } from "@/components/formatUsage";
import { Pill } from "@/components/Pill";
import { StateLabel } from "@/components/StateLabel";
import { Switch } from "@/components/Switch";
import { Table, TableCell, TableHead, TableRow } from "@/components/Table";
import { displayTitle, nodeStateAppearance } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import {
  compareRuns,
  costOf,
  difference,
  type NodeComparison,
  noticeable,
  workedMs,
} from "./compareRuns";
import {
  formatAttemptsDifference,
  formatCostDifference,
  formatTimeDifference,
} from "./differenceText";
import { HandoffDiff } from "./HandoffDiff";

/** How many nodes are listed at first, and with each "Show more". */
const step = 200;

const share = `${noticeable.share * 100}%`;
/** When time and cost count as a difference. */
const rule = `Time counts as different from ${formatDuration(noticeable.ms)} and ${share}, cost from ${formatCost(noticeable.dollars)} and ${share}.`;

/** Two runs node by node. */
export function NodeComparisonTable({
  a,
  b,
  otherHandoffs,
}: {
  a: RunView;
  b: RunView;
  /** The nodes whose handoffs differ in content; `undefined` if unknown. */
  otherHandoffs: readonly NodeId[] | undefined;
}): ReactElement {
  const nodes = useMemo(() => compareRuns(a, b, otherHandoffs), [a, b, otherHandoffs]);
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const [most, setMost] = useState(step);
  const listed = onlyDifferent ? nodes.filter(({ differences }) => differences.length > 0) : nodes;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 px-4 pt-4 pb-2">
        <h2 className="font-semibold text-13">Nodes</h2>
        <span role="status" className="text-12 text-faint tabular-nums">
          {onlyDifferent
            ? `${formatNumber(listed.length)} of ${formatCount(nodes.length, "node")}`
            : formatCount(nodes.length, "node")}
        </span>
        <span className="ml-auto">
          <Switch label="Only differences" checked={onlyDifferent} onChange={setOnlyDifferent} />
        </span>
        <p className="w-full text-12 text-faint">{rule}</p>
      </div>
      {listed.length === 0 ? (
        <EmptyState title="No differences">
          All nodes have the same state, definition, number of attempts and handoff in both runs,
          and about the same time and cost.
        </EmptyState>
      ) : (
        <Table aria-label="Nodes" aria-rowcount={listed.length + 1} className="min-w-205">
          <thead>
            <tr>
              <TableHead className="w-64">Node</TableHead>
              <TableHead className="w-34">#{a.summary.number}</TableHead>
              <TableHead className="w-34">#{b.summary.number}</TableHead>
              <TableHead className="text-right">Worked</TableHead>
              <TableHead className="text-right">Cost</TableHead>
              <TableHead className="text-right">Attempts</TableHead>
            </tr>
          </thead>
          <tbody>
            {listed.slice(0, most).map((node) => (
              <NodeRows
                key={node.id}
                {...{ node, a, b }}
                knowsHandoffs={otherHandoffs !== undefined}
              />
            ))}
          </tbody>
        </Table>
      )}
      {listed.length > most && (
        <div className="p-4">
          <Button onClick={() => setMost(most + step)}>
            Show {formatNumber(Math.min(step, listed.length - most))} more
          </Button>
        </div>
      )}
    </>
  );
}

interface NodeRowsProps {
  node: NodeComparison;
  a: RunView;
  b: RunView;
  /** Whether the handoffs could be compared. */
  knowsHandoffs: boolean;
}

/** A node, and the difference of its handoffs while it is expanded. */
function NodeRows({ node, a, b, knowsHandoffs }: NodeRowsProps): ReactElement {
  const [expanded, setExpanded] = useState(false);
  const { title, differences } = node;
  const hasHandoff = Boolean(node.a?.artifact ?? node.b?.artifact);
  return (
    <Fragment>
      <TableRow className={classes(differences.length === 0 && "text-muted")}>
        <TableCell title={displayTitle(title)}>
          <span className="flex items-center gap-1">
            <button
              type="button"
              disabled={!hasHandoff}
              aria-expanded={expanded}
              aria-label={`Handoffs of ${displayTitle(title)}`}
              onClick={() => setExpanded(!expanded)}
              className="flex size-5 shrink-0 items-center justify-center rounded-small text-faint hover:bg-hover hover:text-fg disabled:invisible"
            >
              <ChevronRight
                aria-hidden="true"
                className={classes("size-3.5 transition-transform", expanded && "rotate-90")}
              />
            </button>
            <span dir="auto" className="truncate">
              {displayTitle(title)}
            </span>
            {differences.includes("definition") && <Pill>Edited</Pill>}
            {differences.includes("handoff") && <Pill>Handoff differs</Pill>}
          </span>
        </TableCell>
        <TableCell>
          <Side node={node.a} run={a} />
        </TableCell>
        <TableCell>
          <Side node={node.b} run={b} />
        </TableCell>
        <Values
          values={[workedMs(node.a), workedMs(node.b)]}
          format={formatElapsed}
          formatDifference={formatTimeDifference}
          counts={differences.includes("time")}
        />
        <Values
          values={[costOf(node.a), costOf(node.b)]}
          format={formatCost}
          formatDifference={formatCostDifference}
          counts={differences.includes("cost")}
        />
        <Values
          values={[node.a?.attempt ?? null, node.b?.attempt ?? null]}
          format={formatNumber}
          formatDifference={formatAttemptsDifference}
          counts={differences.includes("attempts")}
        />
      </TableRow>
      {expanded && (
        <tr>
          <td colSpan={6} className="border-b px-4 py-3">
            <HandoffDiff
              a={node.a?.artifact ?? null}
              b={node.b?.artifact ?? null}
              differs={knowsHandoffs ? differences.includes("handoff") : undefined}
            />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** The state of the node in one run, as a link to it. */
function Side({ node, run }: { node: NodeRunView | undefined; run: RunView }): ReactElement {
  if (!node) return <span className="text-faint">Not in this run</span>;
  const { plan, id } = run.summary;
  return (
    <Link to={paths.blueprintAt(plan, { run: id, node: node.node })} className="hover:underline">
      <StateLabel {...nodeStateAppearance(node)} />
    </Link>
  );
}

/** Two values and their difference: "1m 04s → 2m 10s  +1m 06s". */
function Values({
  values: [a, b],
  format,
  formatDifference,
  counts,
}: {
  values: readonly [number | null, number | null];
  format: (value: number) => string;
  formatDifference: (difference: number | null) => string;
  /** Whether it counts as a difference, and not as the usual variation. */
  counts: boolean;
}): ReactElement {
  const show = (value: number | null): ReactNode =>
    value === null ? <span className="text-faint">–</span> : format(value);
  const gap = difference(a, b);
  return (
    <TableCell numeric className="text-12">
      {a !== b && (
        <>
          {show(a)} <span aria-hidden="true">→</span>{" "}
        </>
      )}
      {show(b)}
      {gap !== null && gap !== 0 && (
        <span className={classes("ml-2", counts ? "font-medium text-fg" : "text-faint")}>
          {formatDifference(gap)}
        </span>
      )}
    </TableCell>
  );
}
