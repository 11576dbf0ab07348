import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useState } from "react";
import { classes } from "@/components/classes";

interface ChartColumn {
  key: string;
  /** The axis label: "Nov 21". */
  label: string;
  /** The stacked parts, from the bottom. */
  parts: { key: string; value: number; fill: string }[];
  /** Some values of this column were not reported. Shows a mark below it. */
  hasUnreported?: boolean;
  /** Describes the column: "Nov 21: 3 runs, 2 completed". */
  description: string;
}

export interface ColumnChartProps {
  title: string;
  columns: ChartColumn[];
  /** Formats the value at the top of the axis. */
  formatTop: (top: number) => string;
  /** Describes all columns; shown while none is highlighted. */
  summary: string;
  legend?: ReactNode;
}

/**
 * A column chart over time. Pointer and arrow keys highlight a column, which the line above
 * describes, so the chart is accessible without seeing it.
 */
export function ColumnChart(props: ColumnChartProps): ReactElement {
  const { title, columns, formatTop, summary, legend } = props;
  const [at, setHighlighted] = useState<number>();
  const id = useId();
  const sums = columns.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const top = Math.max(...sums, 0);
  const last = columns.length - 1;
  const hasUnreported = columns.some(({ hasUnreported }) => hasUnreported);
  const shown = at === undefined ? undefined : columns[Math.min(at, last)];

  function onKeyDown(event: KeyboardEvent) {
    const steps: Record<string, number> = {
      ArrowLeft: Math.max(0, (at ?? last + 1) - 1),
      ArrowRight: Math.min(last, (at ?? last) + 1),
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setHighlighted(next);
  }

  return (
    <figure aria-labelledby={id} className="flex flex-col gap-2">
      <figcaption className="flex min-h-7 min-w-0 flex-wrap items-center gap-x-3">
        <span id={id} className="font-semibold text-13">
          {title}
        </span>
        <span className="min-w-0 truncate text-12 text-muted tabular-nums">
          {shown?.description ?? summary}
        </span>
        {legend && <span className="ml-auto flex items-center gap-3 text-12">{legend}</span>}
      </figcaption>
      <div className="flex gap-2">
        <span
          aria-hidden="true"
          className="w-12 shrink-0 text-right text-11 text-faint tabular-nums"
        >
          {top > 0 && formatTop(top)}
        </span>
        <div className="min-w-0 flex-1">
          <div
            role="slider"
            tabIndex={0}
            aria-label={title}
            aria-orientation="horizontal"
            aria-valuemin={0}
            aria-valuemax={last}
            aria-valuenow={at ?? last}
            aria-valuetext={shown?.description ?? summary}
            onKeyDown={onKeyDown}
            onBlur={() => setHighlighted(undefined)}
            onPointerLeave={() => setHighlighted(undefined)}
            className={classes("flex border-t", hasUnreported ? "h-35" : "h-32")}
          >
            {columns.map((column, place) => (
              <Bar
                key={column.key}
                column={column}
                top={top}
                highlighted={place === at}
                marked={hasUnreported}
                onHighlight={() => setHighlighted(place)}
              />
            ))}
          </div>
          <Labels columns={columns} />
        </div>
      </div>
    </figure>
  );
}

function Bar({
  column: { parts, hasUnreported },
  top,
  highlighted,
  marked,
  onHighlight,
}: {
  column: ChartColumn;
  top: number;
  highlighted: boolean;
  /** Reserves space for a mark below the columns. */
  marked: boolean;
  onHighlight: () => void;
}): ReactElement {
  return (
    <div onPointerEnter={onHighlight} className="flex min-w-0 flex-1 flex-col">
      <div
        className={classes(
          "flex min-h-0 flex-1 flex-col-reverse items-center border-b border-b-line-strong px-px",
          highlighted ? "bg-active" : "bg-raised",
        )}
      >
        {parts.map(
          ({ key, value, fill }) =>
            value > 0 && (
              <span
                key={key}
                data-part={key}
                style={{ height: `${(value / top) * 100}%` }}
                className={classes(
                  "min-h-0.5 w-full max-w-10 shrink border-surface border-t",
                  fill,
                )}
              />
            ),
        )}
      </div>
      {marked && (
        <div className="flex h-3 shrink-0 items-end justify-center">
          {hasUnreported && <UnreportedMark />}
        </div>
      )}
    </div>
  );
}

/** A ring that marks unreported values. */
export function UnreportedMark(): ReactElement {
  return (
    <span
      aria-hidden="true"
      data-part="unreported"
      className="size-1.5 shrink-0 rounded-full border border-line-strong"
    />
  );
}

/** Labels only the first, the middle and the last column, so that they never overlap. */
function Labels({ columns }: { columns: ChartColumn[] }): ReactElement {
  const middle = columns.length > 4 ? columns[Math.floor((columns.length - 1) / 2)] : undefined;
  const shown = columns.length > 1 ? [columns[0], middle, columns.at(-1)] : [undefined, columns[0]];
  return (
    <div aria-hidden="true" className="mt-1 flex justify-between text-11 text-faint tabular-nums">
      {shown.map((column, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a label
        <span key={place}>{column?.label}</span>
      ))}
      {columns.length === 1 && <span />}
    </div>
  );
}
