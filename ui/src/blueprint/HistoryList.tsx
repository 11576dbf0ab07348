import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { HistoryRow, NodeId, RunView, SessionId } from "@/api/bindings";
import { useTextScale } from "@/design/textScale";
import { displayTitle } from "@/plan/nodeText";
import { HistoryLine } from "./HistoryLine";
import { eventNodes, historyLineCount } from "./historyText";
import { useGoToNodes } from "./useGoToNodes";

const rowUnits = 28;
/** How many lines before the end of the loaded rows the next page is requested. */
const overscanRows = 20;

export interface HistoryListProps {
  /** The loaded events, newest first. */
  rows: readonly HistoryRow[];
  run: RunView;
  more: boolean;
  reading: boolean;
  onEarlier: () => void;
}

/** The events as rows with a keyboard cursor. Enter opens the nodes of the current row. */
export function HistoryList({
  rows,
  run,
  more,
  reading,
  onEarlier,
}: HistoryListProps): ReactElement {
  const scroll = useRef<HTMLDivElement>(null);
  const rowHeight = rowUnits * useTextScale();
  // The cursor follows an event, not an index: new events are added above it.
  const [current, setCurrent] = useState<number>();
  const showNodes = useGoToNodes();
  const titles = new Map(run.plan.nodes.map(({ id, title }) => [id, displayTitle(title)]));
  const titleOf = (id: NodeId) => titles.get(id) ?? "Deleted node";
  const sessions = new Map(run.nodes.map(({ session, node }) => [session, node]));
  const nodeOfSession = (session: SessionId) => titles.get(sessions.get(session) ?? "");
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => rowHeight * (rows[index] ? historyLineCount(rows[index]) : 1),
    getItemKey: (index) => rows[index]?.seq ?? index,
    overscan: 12,
  });
  useStableScrollPosition(scroll, rows, rowHeight);
  const drawn = lines.getVirtualItems();
  const wanted = more && !reading && (drawn.at(-1)?.index ?? 0) >= rows.length - overscanRows;
  const at = rows.findIndex(({ seq }) => seq === current);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page without rows for the list requests the next one
  useEffect(() => {
    if (wanted) onEarlier();
  }, [wanted, rows.length, onEarlier]);

  function put(next: number) {
    const place = Math.max(0, Math.min(rows.length - 1, next));
    setCurrent(rows[place]?.seq);
    lines.scrollToIndex(place);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 0) / rowHeight) - 1);
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    };
    const target = moves[event.key];
    const row = rows[at];
    if (target !== undefined) put(target);
    else if (event.key === "Enter" && row) showNodes(eventNodes(row.event));
    else return;
    event.preventDefault();
  }

  return (
    <div ref={scroll} className="min-h-0 flex-1 overflow-auto [overflow-anchor:none]">
      {/* biome-ignore lint/a11y/useSemanticElements: only visible lines are rendered, which a table cannot do */}
      <div
        role="grid"
        aria-label="Run history"
        aria-rowcount={rows.length}
        aria-activedescendant={at >= 0 ? `event-${current}` : undefined}
        aria-busy={reading}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => at < 0 && setCurrent(rows[0]?.seq)}
        style={{ height: lines.getTotalSize() }}
        className="group/list relative focus-visible:outline-none"
      >
        {drawn.map(({ index, start, key }) => {
          const row = rows[index];
          return (
            row && (
              <HistoryLine
                key={key}
                row={row}
                at={index}
                top={start}
                current={row.seq === current}
                titleOf={titleOf}
                nodeOfSession={nodeOfSession}
                onPoint={() => setCurrent(row.seq)}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

/**
 * Keeps the visible rows in place when new events arrive above them, unless the list is at the top.
 */
function useStableScrollPosition(
  scroll: RefObject<HTMLElement | null>,
  rows: readonly HistoryRow[],
  rowHeight: number,
): void {
  const newest = rows[0]?.seq;
  const before = useRef(newest);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new events at the top move the rows
  useLayoutEffect(() => {
    const added = rows.findIndex(({ seq }) => seq === before.current);
    before.current = newest;
    if (added > 0 && scroll.current && scroll.current.scrollTop > 0) {
      const lines = rows.slice(0, added).reduce((sum, row) => sum + historyLineCount(row), 0);
      scroll.current.scrollTop += lines * rowHeight;
    }
  }, [newest]);
}
