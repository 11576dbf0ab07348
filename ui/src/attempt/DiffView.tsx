import type { ReactElement } from "react";
import type { DiffHunk } from "@/api/bindings";
import { CodeLine } from "@/components/CodeText";
import { classes } from "@/components/classes";
import type { CodeSpan } from "@/components/codeHighlighter";
import { formatCount, formatNumber } from "@/components/formatCount";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { diffLineLooks } from "./diffLineLook";
import { type DiffLine, diffLineKey, diffRows, diffSize } from "./diffRows";
import { useDiffColors } from "./useDiffColors";

/** How many lines of a diff are rendered unless more are asked for. */
export const maxDiffRows = 400;

/**
 * The diff of one file. Each line has a sign in addition to its color. With `path` its code is
 * highlighted.
 */
export function DiffView({
  hunks,
  path,
  most = maxDiffRows,
}: {
  hunks: readonly DiffHunk[];
  path?: string;
  /** The maximum number of rendered lines; the rest is only counted. */
  most?: number;
}): ReactElement {
  const rows = diffRows(hunks);
  const colors = useDiffColors(path, hunks)?.flatMap((hunk, at) =>
    at > 0 ? [undefined, ...hunk] : hunk,
  );
  const { added, removed } = diffSize(hunks);
  return (
    <figure
      aria-label={`Change: ${formatCount(added, "line")} added, ${formatNumber(removed)} removed`}
      {...keyboardScrollable}
      className="max-h-120 overflow-auto rounded-control border bg-canvas py-1 font-mono text-12 leading-4.5"
    >
      {rows.slice(0, most).map((row, at) =>
        row.kind === "gap" ? (
          // A finished diff never changes order.
          // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a line
          <div key={at} className="my-1 border-t border-dashed" />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a line
          <Line key={at} line={row} path={path} colors={colors?.[at]} />
        ),
      )}
      {rows.length > most && most === maxDiffRows && (
        <p className="px-3 pt-1 text-faint">
          {formatCount(rows.length - most, "more line")} not shown here.
        </p>
      )}
    </figure>
  );
}

interface LineProps {
  line: DiffLine;
  path: string | undefined;
  colors: readonly CodeSpan[] | undefined;
}

function Line({ line, path, colors }: LineProps): ReactElement {
  const look = diffLineLooks[line.kind];
  return (
    <div
      data-diff-file={path}
      data-diff-line={diffLineKey(line)}
      className={classes(
        "grid grid-cols-[--spacing(10)_--spacing(10)_--spacing(4)_minmax(0,1fr)]",
        look.tint,
      )}
    >
      <LineNumber value={line.oldLine} />
      <LineNumber value={line.newLine} />
      <span className={classes("text-center", look.signHue)}>{look.sign}</span>
      <span className="select-text whitespace-pre-wrap break-words pr-2">
        {colors && colors.length > 0 ? <CodeLine spans={colors} /> : line.text || " "}
      </span>
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
