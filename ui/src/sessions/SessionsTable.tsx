// biome-ignore-all lint/a11y/useSemanticElements: table rows can't be positioned individually
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and references its active row
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, type RefObject, useEffect, useRef } from "react";
import type { Enrichments, TranscriptsSort } from "@/api/bindings";
import { Skeleton } from "@/components/Skeleton";
import { useTextScale } from "@/design/textScale";
import { getEnrichment } from "@/shell/enrichments";
import { SessionRow, shownExcerpts } from "./SessionRow";
import { SessionsTableHeader } from "./SessionsTableHeader";
import type { PagedSessions } from "./usePagedSessions";
import { type RowActions, useRowCursor } from "./useRowCursor";

const lineUnits = 28;
const excerptUnits = 20;

export interface SessionsTableProps {
  grid: RefObject<HTMLDivElement | null>;
  sessions: PagedSessions;
  notes: Enrichments | undefined;
  home: string | undefined;
  sort: TranscriptsSort;
  onSort: ((sort: TranscriptsSort) => void) | undefined;
  /** The initial line of the cursor; -1 for none. */
  first: number;
  /** Called on Enter and on double-click. */
  onOpen: (line: number) => void;
  /** Called on a click, which also moves the cursor to the line. */
  onPress: (line: number) => void;
  /** Called when the cursor moves to another line. */
  onMove: (line: number) => void;
  actions: RowActions;
  /** Called when other lines are rendered. */
  onSeen: (first: number, last: number) => void;
}

/**
 * A virtualized table of sessions. Only visible rows are rendered and loaded, so it handles any
 * number.
 */
export function SessionsTable(props: SessionsTableProps): ReactElement {
  const {
    grid,
    sessions,
    notes,
    home,
    sort,
    onSort,
    first,
    onOpen,
    onPress,
    actions,
    onSeen,
    onMove,
  } = props;
  const { total } = sessions;
  const unit = useTextScale();
  const lineHeight = lineUnits * unit;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: (line) => unitsOf(sessions, line) * unit,
    initialOffset: Math.max(0, first - 5) * lineHeight,
    scrollMargin: lineHeight,
    scrollPaddingStart: lineHeight,
    overscan: 12,
  });
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / lineHeight) - 2);
  const cursor = useRowCursor(total, page, first, { ...actions, sessions_open: onOpen });
  const drawn = rows.getVirtualItems();
  const from = drawn[0]?.index ?? 0;
  const to = drawn.at(-1)?.index ?? 0;

  useEffect(() => onSeen(from, to), [from, to, onSeen]);
  useEffect(() => onMove(cursor.at), [cursor.at, onMove]);
  // The height of a search result depends on its excerpts, which are known once it is loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `sessions` is a new object whenever something was loaded
  useEffect(() => rows.measure(), [rows, sessions, unit]);
  useEffect(() => {
    if (cursor.at >= 0) rows.scrollToIndex(cursor.at, { align: "auto" });
  }, [cursor.at, rows]);

  return (
    <div ref={scroller} className="@container min-h-0 flex-1 overflow-auto">
      <div
        ref={grid}
        role="grid"
        aria-label="Sessions"
        aria-rowcount={total + 1}
        aria-busy={sessions.outdated}
        aria-activedescendant={cursor.at < 0 ? undefined : `session-line-${cursor.at}`}
        tabIndex={0}
        onKeyDown={cursor.onKeyDown}
        onFocus={cursor.onFocus}
        className="min-w-100 focus-visible:outline-none"
      >
        <SessionsTableHeader sort={sort} onSort={onSort} />
        <div role="rowgroup" className="relative" style={{ height: rows.getTotalSize() }}>
          {drawn.map(({ index, start, size }) => {
            const session = sessions.at(index);
            const style = { height: size, transform: `translateY(${start - lineHeight}px)` };
            return (
              <div
                key={index}
                role="presentation"
                style={style}
                className="absolute inset-x-0 top-0"
              >
                {session ? (
                  <SessionRow
                    session={session}
                    noted={getEnrichment(notes, "session", session.row.id)}
                    line={index}
                    current={index === cursor.at}
                    home={home}
                    onPress={onPress}
                    onOpen={onOpen}
                    onPoint={cursor.moveTo}
                  />
                ) : (
                  <UnreadRow line={index} />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function unitsOf(sessions: PagedSessions, line: number): number {
  const session = sessions.at(line);
  const places = session ? shownExcerpts(session).length : 0;
  return lineUnits + (places === 0 ? 0 : places * excerptUnits + 4);
}

/** Placeholder of a row that is being loaded. */
function UnreadRow({ line }: { line: number }): ReactElement {
  return (
    <div
      role="row"
      id={`session-line-${line}`}
      aria-rowindex={line + 2}
      className="h-7 border-b px-11 py-1"
    >
      <div role="gridcell" aria-label="Loading">
        <Skeleton width={`${30 + ((line * 37) % 40)}%`} />
      </div>
    </div>
  );
}
