// biome-ignore-all lint/a11y/useSemanticElements: table rows can't be positioned individually
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and references its active row
import { Lock, Pin, TriangleAlert } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import type { RunsPageRow } from "@/api/bindings";
import { classes } from "@/components/classes";
import { Duration } from "@/components/Duration";
import { formatNumber } from "@/components/formatCount";
import { formatCost, formatTokens } from "@/components/formatUsage";
import { RelativeTime } from "@/components/RelativeTime";
import { RunStateLabel } from "@/components/RunStateLabel";
import { StateLabel } from "@/components/StateLabel";
import { displayTitle } from "@/plan/nodeText";
import { pinnedOutputsLabel } from "@/plan/pinnedOutputText";
import { useEnrichment } from "@/shell/enrichments";
import { paths } from "@/shell/paths";
import { mediumColumn, runColumns, wideColumn } from "./runColumns";
import { describeKept, describeStarter, formatProgress, isOpenRun, runRowStatus } from "./runText";
import type { AskingState } from "./useAskingStates";

export interface RunRowProps {
  row: RunsPageRow;
  /** The index in the list, from 0. */
  line: number;
  current: boolean;
  selected: boolean;
  /** Whether something in it waits for a person's answer. */
  waits: boolean;
  /** The state of the node that waits for it; `undefined` if it isn't about a node. */
  askingState: AskingState | undefined;
  onPoint: (id: string) => void;
  onOpen: (line: number) => void;
  onSelect: (line: number, range: boolean) => void;
}

/** A run in the table. Each fact links to where it comes from. */
export function RunRow(props: RunRowProps): ReactElement {
  const { row, line, current, selected, waits, askingState, onPoint, onOpen, onSelect } = props;
  const address = paths.blueprintAt(row.plan, { run: row.id });
  const title = displayTitle(row.title);
  const asks = waits && isOpenRun(row);
  const { notes } = useEnrichment("run", row.id).enrichment;
  return (
    <div
      role="row"
      id={`run-${row.id}`}
      aria-rowindex={line + 2}
      aria-selected={selected}
      onPointerDown={() => onPoint(row.id)}
      onDoubleClick={() => onOpen(line)}
      className={classes(
        runColumns,
        "h-7 cursor-default border-b hover:bg-hover aria-selected:bg-accent-tint",
        current && "inset-shadow-chosen",
      )}
    >
      <Cell className="flex items-center">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select #${row.number} of ${title}`}
          checked={selected}
          onClick={(event) => onSelect(line, event.shiftKey)}
          onChange={() => undefined}
        />
      </Cell>
      <Cell>
        <CellLink to={address} className="font-medium tabular-nums">
          #{row.number}
        </CellLink>
      </Cell>
      <Cell className="flex items-center gap-2">
        <CellLink to={paths.blueprint(row.plan)} dir="auto" title={title} className="truncate">
          {title}
        </CellLink>
        {notes !== "" && (
          <bdi title={notes} className="min-w-2/5 flex-1 truncate text-12 text-muted">
            {notes}
          </bdi>
        )}
      </Cell>
      <Cell className="flex items-center gap-1.5">
        <CellLink to={causeOf(row, asks ? askingState : undefined) ?? address}>
          {asks ? (
            <StateLabel state="waiting" waitingFor="person" />
          ) : (
            <RunStateLabel {...runRowStatus(row)} pill={false} />
          )}
        </CellLink>
        <Notices row={row} />
      </Cell>
      <Cell className={classes(wideColumn, "text-12 text-muted")} title={describeStarter(row)}>
        <Starter row={row} />
      </Cell>
      <Cell className="text-12 text-muted">
        <RelativeTime at={row.startedAt} />
      </Cell>
      <Cell className={classes(mediumColumn, "text-right")}>
        {isOpenRun(row) ? (
          <Duration since={row.startedAt} />
        ) : (
          <Duration milliseconds={row.elapsedMs} />
        )}
      </Cell>
      <Cell
        className={classes(mediumColumn, "text-right tabular-nums")}
        title={
          row.agentsWorked ? `${formatTokens(row.tokens)} tokens` : "No agent worked in this run"
        }
      >
        {row.agentsWorked ? (
          <CellLink
            to={
              row.costUsd === null ? paths.statisticsOf(row.plan) : paths.run(row.id, "costliest")
            }
            className={classes(row.costUsd === null && "text-faint")}
          >
            {formatCost(row.costUsd)}
          </CellLink>
        ) : (
          <span className="text-faint">–</span>
        )}
      </Cell>
      <Cell className={classes(wideColumn, "text-right tabular-nums")}>
        <CellLink to={address}>{formatProgress(row)}</CellLink>
        {row.nodes.failed > 0 && (
          <CellLink to={paths.run(row.id, "first_failed")} className="ml-2 text-state-failed">
            {formatNumber(row.nodes.failed)} failed
          </CellLink>
        )}
      </Cell>
    </div>
  );
}

/** The address of the node that the state of a run is about, if it is about one. */
function causeOf(
  { id, plan, nodes }: RunsPageRow,
  asking: AskingState | undefined,
): string | undefined {
  if (asking) return paths.blueprintInState(plan, { run: id, state: asking });
  if (nodes.failed > 0) return paths.run(id, "first_failed");
  if (nodes.skippedFailures > 0)
    return paths.blueprintInState(plan, { run: id, state: "failed_skipped" });
  return undefined;
}

/** Who started the run, with a link if it was another run. */
function Starter({ row }: { row: RunsPageRow }): ReactElement {
  const { parent, handles } = row;
  const text = describeStarter(row);
  if (parent) return <CellLink to={paths.run(parent.run, parent.node)}>{text}</CellLink>;
  if (!handles || handles.isDeleted) return <>{text}</>;
  return <CellLink to={paths.blueprintAt(handles.plan, { run: handles.run })}>{text}</CellLink>;
}

/** A link in a row. Tab skips it: Enter opens the row of the cursor. */
function CellLink({ className, ...rest }: LinkProps & { className?: string }): ReactElement {
  return (
    <Link
      {...rest}
      tabIndex={-1}
      draggable={false}
      className={classes("hover:underline", className)}
    />
  );
}

/** Damage, pinned outputs, and why the run can't be deleted. */
function Notices({ row }: { row: RunsPageRow }): ReactElement {
  const kept = describeKept(row);
  return (
    <>
      {row.damage !== null && (
        <Notice text={row.damage} icon={<TriangleAlert />} className="text-state-waiting" />
      )}
      {row.pinnedNodes !== undefined && (
        <Notice text={pinnedOutputsLabel} icon={<Pin />} className="text-accent-fg" />
      )}
      {kept !== undefined && <Notice text={kept} icon={<Lock />} className="text-faint" />}
    </>
  );
}

function Notice({ text, icon, className }: { text: string; icon: ReactNode; className: string }) {
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className={classes("shrink-0 [&>svg]:size-3.5", className)}
    >
      {icon}
    </span>
  );
}

function Cell(props: { children: ReactNode; className?: string; title?: string }): ReactElement {
  return (
    <div
      role="gridcell"
      title={props.title}
      className={classes("h-6.75 min-w-0 truncate px-2 leading-6.75", props.className)}
    >
      {props.children}
    </div>
  );
}
