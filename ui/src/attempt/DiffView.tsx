import type { ReactElement } from "react";
import type { DiffHunk } from "@/api/bindings";
import { classes } from "@/components/classes";
import { type DiffRow, diffRows, diffSize } from "./diffRows";

const maxRows = 400;

const tints = {
  same: "",
  added: "bg-state-done-tint",
  removed: "bg-state-failed-tint",
} as const;

const signs = { same: " ", added: "+", removed: "−" } as const;
const signHues = { same: "", added: "text-state-done", removed: "text-state-failed" } as const;

/** The diff of one file. Each line has a sign in addition to its color. */
export function DiffView({
  hunks,
  most = maxRows,
}: {
  hunks: readonly DiffHunk[];
  /** The maximum number of rendered lines; the rest is only counted. */
  most?: number;
}): ReactElement {
  const rows = diffRows(hunks);
  const { added, removed } = diffSize(hunks);
  return (
    <figure
      aria-label={`Change: ${added} lines added, ${removed} removed`}
      className="max-h-120 overflow-auto rounded-control border bg-canvas py-1 font-mono text-12 leading-4.5"
    >
      {rows.slice(0, most).map((row, at) => (
        // A finished diff never changes order.
        // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a line
        <Line key={at} row={row} />
      ))}
      {rows.length > most && most === maxRows && (
        <p className="px-3 pt-1 text-faint">
          {rows.length - most} more lines. Open the file to see them.
        </p>
      )}
    </figure>
  );
}

function Line({ row }: { row: DiffRow }): ReactElement {
  if (row.kind === "gap") return <div className="my-1 border-t border-dashed" />;
  return (
    <div
      className={classes(
        "grid grid-cols-[--spacing(10)_--spacing(10)_--spacing(4)_minmax(0,1fr)]",
        tints[row.kind],
      )}
    >
      <LineNumber value={row.oldLine} />
      <LineNumber value={row.newLine} />
      <span className={classes("text-center", signHues[row.kind])}>{signs[row.kind]}</span>
      <span className="select-text whitespace-pre-wrap break-words pr-2">{row.text || " "}</span>
    </div>
  );
}

function LineNumber({ value }: { value: number | undefined }): ReactElement {
  return (
    <span aria-hidden="true" className="pr-2 text-right text-11 text-faint tabular-nums">
      {value}
    </span>
  );
}

/** The size of a diff, such as "+12 −3". */
export function DiffSize({ hunks }: { hunks: readonly DiffHunk[] }): ReactElement {
  const { added, removed } = diffSize(hunks);
  return (
    <span className="whitespace-nowrap font-mono text-11 tabular-nums">
      <span className="text-state-done">+{added}</span>{" "}
      <span className="text-state-failed">−{removed}</span>
    </span>
  );
}
