import { Route } from "lucide-react";
import { type MouseEvent, memo, type ReactElement } from "react";
import type { Node, NodeId, NodeRunView } from "@/api/bindings";
import { classes } from "@/components/classes";
import { formatElapsed } from "@/components/duration";
import { type NodeStateName, nodeStateLabel, stateFill } from "@/components/nodeState";
import { StateIcon } from "@/components/StateIcon";
import { formatDateTime } from "@/components/time";
import { workTimeTitle } from "@/components/workTime";
import { displayTitle, nodeLabel, nodeStateAppearance } from "@/plan/nodeText";
import type { AttemptBar, BarSegment } from "@/run/attemptBars";
import { fractionInRange, type TimeRange } from "./timeRange";

/** The height of a row, in units of the text scale. */
export const rowUnits = 28;

export interface GanttRowProps {
  node: Node;
  run: NodeRunView | undefined;
  bars: readonly AttemptBar[];
  range: TimeRange;
  /** Where open-ended bars end. */
  now: number;
  top: number;
  /** In pixels. */
  height: number;
  selected: boolean;
  /** Whether this is the first row, where the keyboard focus enters the list. */
  first: boolean;
  critical: boolean;
  onChoose: (event: MouseEvent, id: NodeId) => void;
}

/**
 * A node with its attempts as bars in the color of their outcome, hatched while waiting for a
 * person.
 */
export const GanttRow = memo(function TimesRow(props: GanttRowProps) {
  const { node, run, bars, range, now, top, height, selected, first, critical, onChoose } = props;
  const title = displayTitle(node.title);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list around the rows handles keys
    <div
      role="option"
      data-row={node.id}
      aria-selected={selected}
      aria-label={rowLabel(node, run, bars, now, critical)}
      tabIndex={selected || first ? 0 : -1}
      style={{ top, height }}
      onClick={(event) => onChoose(event, node.id)}
      className={classes(
        "absolute inset-x-0 flex cursor-default border-b focus-visible:-outline-offset-2",
        selected ? "bg-accent-tint" : "hover:bg-hover",
      )}
    >
      <span className="flex w-[var(--names)] shrink-0 items-center gap-1.5 border-r pr-2 pl-4">
        <StateIcon {...nodeStateAppearance(run)} size="small" decorative />
        <span dir="auto" title={title} className="truncate text-12">
          {title}
        </span>
        {critical && (
          <Route aria-hidden="true" className="ml-auto size-3.5 shrink-0 text-accent-fg" />
        )}
      </span>
      <span aria-hidden="true" className="relative min-w-0 flex-1 overflow-hidden">
        {bars.map((bar) => (
          <GanttBar key={bar.from} bar={bar} range={range} now={now} critical={critical} />
        ))}
        <DurationLabel bar={bars.at(-1)} run={run} range={range} now={now} />
      </span>
    </div>
  );
});

function GanttBar({
  bar,
  range,
  now,
  critical,
}: Pick<GanttRowProps, "range" | "now" | "critical"> & { bar: AttemptBar }): ReactElement | null {
  const end = bar.to ?? now;
  if (end < range.from || bar.from > range.to) return null;
  return (
    <span
      title={barLabel(bar, now)}
      style={barStyle(bar.from, end, range)}
      className={classes(
        "absolute inset-y-1.5 flex forced-color-adjust-none overflow-hidden rounded-[3px]",
        critical && "outline-2 outline-accent",
      )}
    >
      {bar.segments.map((segment) => (
        <GanttBarSegment key={segment.from} segment={segment} bar={bar} now={now} />
      ))}
    </span>
  );
}

function GanttBarSegment({
  segment,
  bar,
  now,
}: {
  segment: BarSegment;
  bar: AttemptBar;
  now: number;
}) {
  const { kind, from, to } = segment;
  const span = Math.max(1, (to ?? now) - from);
  return (
    <span
      style={{ flexGrow: span }}
      className={classes("basis-0", kind === "work" ? workFill(bar.state) : `gantt-${kind}`)}
    />
  );
}

// A node that is waiting at the end of its bar was running before.
function workFill(state: NodeStateName): string {
  return stateFill[state === "waiting" ? "running" : state];
}

/** The minimum width of a bar, in pixels, so that it can be seen and clicked. */
const minBarWidth = 8;

/** A bar widened to the minimum keeps its start, unless it would extend beyond the lane. */
function barStyle(from: number, to: number, range: TimeRange) {
  const left = fractionInRange(range, from) * 100;
  return {
    left: `min(${left}%, calc(100% - ${minBarWidth}px))`,
    width: `max(${minBarWidth}px, ${fractionInRange(range, to) * 100 - left}%)`,
  };
}

/** The part of a lane that a label next to a bar needs. */
const labelRoom = 0.12;

/**
 * How long the node worked, or the duration of its open bar, after its last bar or, if there is no
 * room, before it.
 */
function DurationLabel({
  bar,
  run,
  range,
  now,
}: Pick<GanttRowProps, "run" | "range" | "now"> & {
  bar: AttemptBar | undefined;
}): ReactElement | null {
  if (bar === undefined) return null;
  const isEnded = bar.to !== undefined && run !== undefined && run.times.elapsedMs !== null;
  const begin = fractionInRange(range, bar.from);
  const end = fractionInRange(range, bar.to ?? now);
  const isBehind = end <= 1 - labelRoom;
  // The bar is out of view or fills the lane.
  if (end < 0 || begin > 1 || (!isBehind && begin < labelRoom)) return null;
  const style = isBehind
    ? { left: `calc(max(${end * 100}%, ${begin * 100}% + ${minBarWidth}px) + 6px)` }
    : { right: `calc(max(${100 - begin * 100}%, ${minBarWidth}px) + 6px)` };
  return (
    <span
      style={style}
      className="pointer-events-none absolute inset-y-0 flex items-center whitespace-nowrap text-11 text-muted tabular-nums"
    >
      {formatElapsed(isEnded ? (run.times.workedMs ?? Number.NaN) : (bar.to ?? now) - bar.from)}
    </span>
  );
}

/**
 * For example "Attempt 2: Failed, 8.2 s, from Nov 21, 2026, 12:03:01 UTC, 3.0 s of it waiting for you".
 */
export function barLabel(bar: AttemptBar, now: number): string {
  const waited = segmentMs(bar, "person", now);
  const pause = bar.segments.every(({ kind }) => kind === "time");
  const what = pause
    ? "Until the next attempt"
    : `Attempt ${bar.attempt}: ${nodeStateLabel({ state: bar.state })}`;
  return [
    what,
    formatElapsed((bar.to ?? now) - bar.from),
    `from ${formatDateTime(bar.from)}`,
    waited > 0 && `${formatElapsed(waited)} of it waiting for you`,
  ]
    .filter(Boolean)
    .join(", ");
}

function segmentMs({ segments }: AttemptBar, wanted: BarSegment["kind"], now: number): number {
  return segments
    .filter(({ kind }) => kind === wanted)
    .reduce((sum, { from, to }) => sum + (to ?? now) - from, 0);
}

function rowLabel(
  node: Node,
  run: NodeRunView | undefined,
  bars: readonly AttemptBar[],
  now: number,
  critical: boolean,
): string {
  const attempts = bars.map((bar) => barLabel(bar, now)).join("; ");
  const worked = run && run.times.elapsedMs !== null && workTimeTitle(run.times);
  return [
    nodeLabel(node, run),
    critical && "on the critical path",
    attempts || "not started",
    worked,
  ]
    .filter(Boolean)
    .join(", ");
}
