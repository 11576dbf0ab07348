// biome-ignore-all lint/a11y/useSemanticElements: table rows can't be positioned individually
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and references its active row
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, type RefObject, useEffect, useRef } from "react";
import type { RunsPageRow } from "@/api/bindings";
import type { LocalCommandId } from "@/commands/localCommands";
import { useListCursor } from "@/commands/useListCursor";
import { classes } from "@/components/classes";
import { useTextScale } from "@/design/textScale";
import { useWaitingRuns } from "@/pending/useWaitingRuns";
import { RunRow } from "./RunRow";
import { mediumColumn, runColumns, wideColumn } from "./runColumns";
import { useAskingStates } from "./useAskingStates";

/** What the keys and the checkboxes do with the runs. */
interface RunsTableActs {
  open: (line: number) => void;
  /** `range` selects everything from the last selected run. */
  select: (line: number, range: boolean) => void;
  /** Selects all loaded runs. */
  selectAll: () => void;
  deselect: () => void;
  /** Asks whether to delete the selected runs, or the one of the cursor if none is selected. */
  remove: (line: number) => void;
  /** Edits the note on a run. */
  note: (line: number) => void;
}

export interface RunsTableProps {
  grid: RefObject<HTMLDivElement | null>;
  rows: readonly RunsPageRow[];
  total: number;
  /** Whether the rows belong to another query than the one shown. */
  outdated: boolean;
  selected: ReadonlySet<string>;
  acts: RunsTableActs;
  /** Called when the last loaded row is near. */
  onEnd: () => void;
}

/** A virtualized table of runs: only visible rows are rendered. */
export function RunsTable(props: RunsTableProps): ReactElement {
  const { grid, rows, total, outdated, selected, acts, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const height = 28 * useTextScale();
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    scrollMargin: height,
    scrollPaddingStart: height,
    overscan: 12,
  });
  const cursor = useListCursor({
    ids: rows.map(({ id }) => id),
    page: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 2),
    scope: "runs",
    next: "runs_next",
    previous: "runs_previous",
    acts: cursorActs(acts),
  });
  const waitingRuns = useWaitingRuns();
  const askingStates = useAskingStates();
  const current = rows[cursor.at];
  const drawn = lines.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 20) onEnd();
  }, [last, rows.length, onEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed row height needs a new measurement
  useEffect(() => lines.measure(), [lines, height]);
  useEffect(() => {
    if (cursor.at >= 0) lines.scrollToIndex(cursor.at, { align: "auto" });
  }, [cursor.at, lines]);

  return (
    <div ref={scroller} className="@container min-h-0 flex-1 overflow-auto">
      <div
        ref={grid}
        role="grid"
        aria-label="Runs"
        aria-rowcount={total + 1}
        aria-multiselectable
        aria-busy={outdated}
        aria-activedescendant={current && `run-${current.id}`}
        tabIndex={0}
        onKeyDown={cursor.onKeyDown}
        onFocus={cursor.onFocus}
        className={classes(
          "min-w-95 @min-[40rem]:min-w-175 transition-opacity focus-visible:outline-none",
          outdated && "opacity-60",
        )}
      >
        <Head />
        <div role="rowgroup" className="relative" style={{ height: lines.getTotalSize() }}>
          {drawn.map(({ index, start }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={row.id}
                  role="presentation"
                  className="absolute inset-x-0 top-0"
                  style={{ height, transform: `translateY(${start - height}px)` }}
                >
                  <RunRow
                    row={row}
                    line={index}
                    current={index === cursor.at}
                    selected={selected.has(row.id)}
                    waits={waitingRuns.has(row.id)}
                    askingState={askingStates.get(row.id)}
                    onPoint={cursor.moveTo}
                    onOpen={acts.open}
                    onSelect={acts.select}
                  />
                </div>
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

function cursorActs(acts: RunsTableActs): Partial<Record<LocalCommandId, (at: number) => void>> {
  return {
    runs_open: acts.open,
    runs_select: (at) => acts.select(at, false),
    runs_select_to: (at) => acts.select(at, true),
    runs_select_all: acts.selectAll,
    runs_deselect: acts.deselect,
    runs_delete: acts.remove,
    runs_note: acts.note,
  };
}

function Head(): ReactElement {
  return (
    <div role="rowgroup" className="sticky top-0 z-10">
      <div
        role="row"
        aria-rowindex={1}
        className={classes(runColumns, "h-7 items-center border-b bg-surface text-12 text-faint")}
      >
        <span role="columnheader">
          <span className="sr-only">Select</span>
        </span>
        <HeadCell>Run</HeadCell>
        <HeadCell>Blueprint</HeadCell>
        <HeadCell>State</HeadCell>
        <HeadCell className={wideColumn}>Started by</HeadCell>
        <HeadCell>Started</HeadCell>
        <HeadCell className={classes(mediumColumn, "text-right")}>Duration</HeadCell>
        <HeadCell className={classes(mediumColumn, "text-right")}>Cost</HeadCell>
        <HeadCell className={classes(wideColumn, "text-right")}>Nodes</HeadCell>
      </div>
    </div>
  );
}

function HeadCell({ children, className }: { children: string; className?: string }): ReactElement {
  return (
    <span role="columnheader" className={classes("truncate px-2 font-medium", className)}>
      {children}
    </span>
  );
}
