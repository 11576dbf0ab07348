import "./gantt.css";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import type { NodeId } from "@/api/bindings";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { useElementWidth } from "@/components/useElementWidth";
import { useNow } from "@/components/useNow";
import { useTextScale } from "@/design/textScale";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { RowMenu } from "@/plan/RowMenu";
import { useCriticalPath, usePlanTiming } from "@/plan/usePlanTiming";
import { useRowSelection } from "@/plan/useRowSelection";
import { useStateHistory } from "@/plan/useStateHistory";
import { concurrencyOverTime, peakConcurrency } from "@/run/attemptBars";
import { runAtMoment, type ShownRun } from "@/run/runAtMoment";
import { runsByNode } from "@/run/runsByNode";
import { momentIndexAt, type StateHistory } from "@/run/stateHistory";
import { ConcurrencyStrip } from "./ConcurrencyStrip";
import { GanttEmptyState } from "./GanttEmptyState";
import { GanttRow, rowUnits } from "./GanttRow";
import { GanttToolbar } from "./GanttToolbar";
import { ganttRows, type RowOrder } from "./ganttRows";
import { TimeAxis } from "./TimeAxis";
import { fractionInRange, fullRange } from "./timeRange";
import { useGanttCommands } from "./useGanttCommands";
import { useRowKeyNavigation } from "./useRowKeyNavigation";
import { useTimeRange } from "./useTimeRange";

/**
 * The run over time: a row for each node, a bar for each attempt, and a chart of parallel nodes.
 */
export function GanttView(): ReactElement {
  const run = useEditor((state) => state.run);
  const { stateHistory, error, reading, retry } = useStateHistory();
  if (!run) return <GanttEmptyState />;
  if (stateHistory.moments.length > 0)
    return <GanttChart key={stateHistory.run} run={run} stateHistory={stateHistory} />;
  if (error) {
    return (
      <ErrorState
        title="Couldn't load the times"
        detail={error.code}
        onRetry={retry}
        retrying={reading}
      >
        {error.message}
      </ErrorState>
    );
  }
  return (
    <div role="status" aria-label="Loading times" className="flex-1 bg-surface p-4">
      <Skeleton width="50%" />
    </div>
  );
}

function GanttChart({
  run,
  stateHistory,
}: {
  run: ShownRun;
  stateHistory: StateHistory;
}): ReactElement {
  const { editor, page } = useBlueprint();
  const selection = useEditor((state) => state.selection);
  const liveRun = useEditor((state) => state.liveRun);
  const [order, setOrder] = useState<RowOrder>("start");
  const scroll = useRef<HTMLDivElement>(null);
  const lanes = useRef<HTMLDivElement>(null);
  const width = useElementWidth(lanes);
  const begun = stateHistory.moments[0]?.at ?? 0;
  const now = useChartEnd(stateHistory);
  const time = useTimeRange(fullRange(begun, now), lanes);
  const { range } = time;
  const rows = useMemo(() => ganttRows(stateHistory, order), [stateHistory, order]);
  const steps = useMemo(() => concurrencyOverTime(rows.map(({ bars }) => bars)), [rows]);
  const ids = useMemo(() => rows.map(({ node }) => node), [rows]);
  const nodes = useMemo(() => new Map(run.plan.nodes.map((node) => [node.id, node])), [run.plan]);
  const critical = useCriticalPath();
  const pace = usePlanTiming(true);
  const runs = runsByNode(run);
  const rowHeight = rowUnits * useTextScale();
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: remeasure when the row height changes
  useEffect(() => lines.measure(), [lines, rowHeight]);
  const choose = useRowSelection(() => ids);
  const walk = useRowKeyNavigation(ids, (at) => lines.scrollToIndex(at));
  useGanttCommands(time);
  useScrollToSelection(ids, selection, (at) => lines.scrollToIndex(at));

  function openMoment(at: number) {
    if (!liveRun) return;
    page.setState({ playbackOpen: true });
    editor
      .getState()
      .showPastMoment(runAtMoment(liveRun, stateHistory, momentIndexAt(stateHistory, at)));
  }

  const cursor = run.past?.at;
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-surface [--names:min(calc(var(--unit)*220),36%)]">
      <GanttToolbar
        order={order}
        onOrder={setOrder}
        onZoomIn={time.zoomIn}
        onZoomOut={time.zoomOut}
        onAll={time.showAll}
        most={rows.length === 0 ? 0 : Math.max(1, peakConcurrency(steps))}
        limit={run.limit}
        pace={pace}
      />
      <div className="flex shrink-0 border-b">
        <span
          title="Parallel nodes"
          className="w-[var(--names)] shrink-0 self-stretch truncate border-r pr-2 pl-4 pt-9 text-12 text-faint"
        >
          Parallel nodes
        </span>
        <div ref={lanes} className="min-w-0 flex-1">
          <TimeAxis range={range} begun={begun} width={width} onPoint={openMoment} />
          <ConcurrencyStrip steps={steps} range={range} now={now} width={width} />
        </div>
      </div>
      <div ref={scroll} data-keys="nodes" className="min-h-0 flex-1 overflow-auto outline-none">
        <RowMenu>
          <div
            role="listbox"
            data-keys="nodes"
            aria-label="Node times"
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
                  <GanttRow
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
                <TimeCursor part={fractionInRange(range, now)} className="bg-state-running" />
              )}
              {cursor !== undefined && <FutureVeil part={fractionInRange(range, cursor)} />}
            </div>
          </div>
        </RowMenu>
      </div>
    </div>
  );
}

/** Where open-ended bars end: now, or at the end of the run. */
function useChartEnd(stateHistory: StateHistory): number {
  const endedAt = useEditor((state) => state.liveRun?.summary.endedAt ?? null);
  const working = useEditor((state) => state.liveRun?.summary.state.state === "running");
  const now = useNow(endedAt === null && working ? 1_000 : 0);
  const last = stateHistory.moments.at(-1)?.at ?? 0;
  return endedAt === null && working ? Math.max(now, last) : last;
}

/** Scrolls to a node that was selected in another view. */
function useScrollToSelection(
  ids: readonly NodeId[],
  selection: ReadonlySet<NodeId>,
  show: (at: number) => void,
) {
  const shown = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the view opens
  useEffect(() => {
    if (shown.current) return;
    shown.current = true;
    const at = ids.findIndex((id) => selection.has(id));
    if (at >= 0) show(at);
  }, []);
}

function TimeCursor({ part, className }: { part: number; className: string }): ReactElement {
  return (
    <span
      className={`absolute inset-y-0 w-px ${className}`}
      style={{ left: `min(${part * 100}%, calc(100% - 1px))` }}
    />
  );
}

/** Dims everything after the moment that is shown. */
function FutureVeil({ part }: { part: number }): ReactElement {
  const left = `${Math.min(1, Math.max(0, part)) * 100}%`;
  return (
    <>
      <span style={{ left }} className="absolute inset-y-0 right-0 bg-surface/70" />
      <TimeCursor part={part} className="w-0.5 bg-accent" />
    </>
  );
}
