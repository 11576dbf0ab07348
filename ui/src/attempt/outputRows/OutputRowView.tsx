import { memo, type ReactElement } from "react";
import type { OutputHit, OutputRow } from "@/api/bindings";
import { classes } from "@/components/classes";
import { formatNumber } from "@/components/formatCount";
import { formatDateTime } from "@/components/time";
import type { OpenPath } from "./fileLinks";
import { OutputSpan } from "./OutputSpan";
import { formatOffset } from "./outputTime";
import { splitRow } from "./splitRow";

export interface OutputRowViewProps {
  row: OutputRow;
  hits: readonly OutputHit[];
  /** The current match, if it is in this row. */
  currentHit: OutputHit | undefined;
  /** It is where a jump landed. */
  isCurrent: boolean;
  isSelected: boolean;
  wrap: boolean;
  lineNumbers: boolean;
  /** How many digits the largest line number has. */
  lineDigits: number;
  /** The start of the session, if times are shown. */
  timesFrom: number | undefined;
  /** Selects lines by their numbers; without it, they are only text. */
  onSelect: ((row: OutputRow, extend: boolean) => void) | undefined;
  onOpenPath: OpenPath | undefined;
}

/** A row of output: line number, time and text. */
export const OutputRowView = memo(function OutputRowView(props: OutputRowViewProps): ReactElement {
  const { row, hits, currentHit, isCurrent, isSelected, wrap, onOpenPath } = props;
  const isStderr = row.stream === "stderr";
  const spans = splitRow(row, { hits, current: currentHit, files: onOpenPath !== undefined });
  return (
    <div
      data-position={row.position}
      data-continued={row.continued || undefined}
      data-stream={row.stream}
      aria-current={isCurrent || undefined}
      className={classes(
        "flex min-h-4.5 leading-4.5",
        isSelected ? "bg-accent-tint" : isStderr && "bg-(--terminal-stderr)",
        isCurrent && "inset-shadow-chosen",
      )}
    >
      <Gutter {...props} />
      <span
        dir="auto"
        data-text=""
        className={classes(
          "min-w-0 flex-1 pr-4 pl-2 text-left [tab-size:8]",
          wrap ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : "whitespace-pre",
        )}
      >
        {spans.map((span) => (
          <OutputSpan key={span.start} span={span} onOpenPath={onOpenPath} />
        ))}
      </span>
    </div>
  );
});

/** Stays at the left edge while long rows are scrolled. */
function Gutter(props: OutputRowViewProps): ReactElement {
  const { row, isSelected, lineNumbers, lineDigits, timesFrom, onSelect } = props;
  const isStderr = row.stream === "stderr";
  return (
    <span
      className={classes(
        "sticky left-0 z-1 flex shrink-0 select-none border-l-2",
        isStderr ? "border-l-state-waiting" : "border-l-transparent",
        isSelected ? "bg-accent-tint" : isStderr ? "bg-(--terminal-stderr)" : "bg-canvas",
      )}
    >
      {isStderr && <span className="sr-only">Standard error: </span>}
      {lineNumbers && <LineNumber {...{ row, lineDigits, onSelect }} />}
      {timesFrom !== undefined && (
        <time
          title={row.atMs === null ? undefined : formatDateTime(row.atMs)}
          className="w-[13ch] shrink-0 pr-[1ch] text-right text-faint tabular-nums"
        >
          {row.atMs === null || row.continued
            ? ""
            : formatOffset(Math.max(0, row.atMs - timesFrom))}
        </time>
      )}
    </span>
  );
}

function LineNumber(
  props: Pick<OutputRowViewProps, "row" | "lineDigits" | "onSelect">,
): ReactElement {
  const { row, lineDigits, onSelect } = props;
  const look = {
    style: { width: `${lineDigits + 2}ch` },
    className: "flex items-start justify-end px-[1ch] text-faint tabular-nums leading-4.5",
  };
  const line = row.continued ? "" : row.line;
  if (!onSelect) return <span {...look}>{line}</span>;
  return (
    <button
      type="button"
      tabIndex={-1}
      // Keeps a text selection from beginning, which would win over selected lines.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onSelect(row, event.shiftKey)}
      disabled={row.continued}
      aria-label={row.line === null ? "Select line" : `Select line ${formatNumber(row.line)}`}
      style={look.style}
      className={`${look.className} enabled:hover:text-fg`}
    >
      {line}
    </button>
  );
}
