import "./times.css";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import type { NodeId } from "@/api/bindings";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { useNow } from "@/components/useNow";
import { useWidth } from "@/components/useWidth";
import { useUnit } from "@/design/unit";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { RowMenu } from "@/plan/RowMenu";
import { useCourse } from "@/plan/useCourse";
import { useCritical, usePace } from "@/plan/usePace";
import { useRowChoice } from "@/plan/useRowChoice";
import { mostAtOnce, widthOver } from "@/run/bars";
import { type Course, momentAt } from "@/run/course";
import { runAt, type ShownRun } from "@/run/pastRun";
import { runsByNode } from "@/run/runsByNode";
import { NoTimes } from "./NoTimes";
import { TimeAxis } from "./TimeAxis";
import { rowUnits, TimesRow } from "./TimesRow";
import { TimesTools } from "./TimesTools";
import { partOf, wholeOf } from "./timeRange";
import { type RowOrder, timeRows } from "./timeRows";
import { useRowWalk } from "./useRowWalk";
import { useTimeRange } from "./useTimeRange";
import { useTimesOffer } from "./useTimesOffer";
import { WidthStrip } from "./WidthStrip";

/** The run over time: a row for each node, a bar for each attempt, and how many worked at once. */
export function TimesView(): ReactElement {
  const run = useEditor((state) => state.run);
  const { course, error, reading, retry } = useCourse();
  if (!run) return <NoTimes />;
  if (course.moments.length > 0) return <Times key={course.run} run={run} course={course} />;
  if (error) {
    return (
      <ErrorState
        title="The times could not be read"
        detail={error.code}
        onRetry={retry}
        retrying={reading}
      >
        {error.message}
      </ErrorState>
    );
  }
  return (
    <div role="status" aria-label="Reading the times" className="flex-1 bg-surface p-4">
      <Skeleton width="50%" />
    </div>
  );
}

function Times({ run, course }: { run: ShownRun; course: Course }): ReactElement {
  const { editor, page } = useBlueprint();
  const selection = useEditor((state) => state.selection);
  const live = useEditor((state) => state.live);
  const [order, setOrder] = useState<RowOrder>("start");
  const scroll = useRef<HTMLDivElement>(null);
  const lanes = useRef<HTMLDivElement>(null);
  const width = useWidth(lanes);
  const begun = course.moments[0]?.at ?? 0;
  const now = useEnd(course);
  const time = useTimeRange(wholeOf(begun, now), lanes);
  const { range } = time;
  const rows = useMemo(() => timeRows(course, order), [course, order]);
  const steps = useMemo(() => widthOver(rows.map(({ bars }) => bars)), [rows]);
  const ids = useMemo(() => rows.map(({ node }) => node), [rows]);
  const nodes = useMemo(() => new Map(run.plan.nodes.map((node) => [node.id, node])), [run.plan]);
  const critical = useCritical();
  const pace = usePace(true);
  const runs = runsByNode(run);
  const rowHeight = rowUnits * useUnit();
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines do not notice that their height has changed
  useEffect(() => lines.measure(), [lines, rowHeight]);
  const choose = useRowChoice(() => ids);
  const walk = useRowWalk(ids, (at) => lines.scrollToIndex(at));
  useTimesOffer(time);
  useShownSelection(ids, selection, (at) => lines.scrollToIndex(at));

  function lookAt(at: number) {
    if (!live) return;
    page.setState({ lookingBack: true });
    editor.getState().lookBack(runAt(live, course, momentAt(course, at)));
  }

  const cursor = run.past?.at;
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-surface [--names:min(calc(var(--unit)*220),36%)]">
      <TimesTools
        order={order}
        onOrder={setOrder}
        onZoomIn={time.zoomIn}
        onZoomOut={time.zoomOut}
        onAll={time.showAll}
        most={rows.length === 0 ? 0 : Math.max(1, mostAtOnce(steps))}
        limit={run.limit}
        pace={pace}
      />
      <div className="flex shrink-0 border-b">
        <span
          title="Nodes at work at once"
          className="w-[var(--names)] shrink-0 self-stretch truncate border-r pr-2 pl-4 pt-9 text-12 text-faint"
        >
          At work at once
        </span>
        <div ref={lanes} className="min-w-0 flex-1">
          <TimeAxis range={range} begun={begun} width={width} onPoint={lookAt} />
          <WidthStrip steps={steps} range={range} now={now} width={width} />
        </div>
      </div>
      <div ref={scroll} data-keys="nodes" className="min-h-0 flex-1 overflow-auto outline-none">
        <RowMenu>
          <div
            role="listbox"
            data-keys="nodes"
            aria-label="Times of the nodes"
            aria-multiselectable="true"
            onKeyDown={walk}
            className="relative"
            style={{ height: lines.getTotalSize() }}
          >
            {lines.getVirtualItems().map(({ index, start }) => {
              const row = rows[index];
              const node = row && nodes.get(row.node);
              return (
                node && (
                  <TimesRow
                    key={node.id}
                    node={node}
                    run={runs.get(node.id)}
                    bars={row.bars}
                    range={range}
                    now={now}
                    top={start}
                    height={rowHeight}
                    selected={selection.has(node.id)}
                    first={index === 0}
                    critical={critical.nodes.has(node.id)}
                    onChoose={choose}
                  />
                )
              );
            })}
            <div className="pointer-events-none absolute inset-y-0 right-0 left-[var(--names)] overflow-hidden">
              {run.summary.endedAt === null && cursor === undefined && (
                <Line part={partOf(range, now)} className="bg-state-running" />
              )}
              {cursor !== undefined && <Past part={partOf(range, cursor)} />}
            </div>
          </div>
        </RowMenu>
      </div>
    </div>
  );
}

/** Up to when bars are drawn that have not ended: now, or the end of the run. */
function useEnd(course: Course): number {
  const endedAt = useEditor((state) => state.live?.summary.endedAt ?? null);
  const working = useEditor((state) => state.live?.summary.state.state === "running");
  const now = useNow(endedAt === null && working ? 1_000 : 0);
  const last = course.moments.at(-1)?.at ?? 0;
  return endedAt === null && working ? Math.max(now, last) : last;
}

/** A node that was selected in another view is brought into sight. */
function useShownSelection(
  ids: readonly NodeId[],
  selection: ReadonlySet<NodeId>,
  show: (at: number) => void,
) {
  const shown = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the view opens; later presses are in sight
  useEffect(() => {
    if (shown.current) return;
    shown.current = true;
    const at = ids.findIndex((id) => selection.has(id));
    if (at >= 0) show(at);
  }, []);
}

function Line({ part, className }: { part: number; className: string }): ReactElement {
  return (
    <span
      className={`absolute inset-y-0 w-px ${className}`}
      style={{ left: `min(${part * 100}%, calc(100% - 1px))` }}
    />
  );
}

/** What had not happened yet lies under a veil. */
function Past({ part }: { part: number }): ReactElement {
  const left = `${Math.min(1, Math.max(0, part)) * 100}%`;
  return (
    <>
      <span style={{ left }} className="absolute inset-y-0 right-0 bg-surface/70" />
      <Line part={part} className="w-0.5 bg-accent" />
    </>
  );
}
