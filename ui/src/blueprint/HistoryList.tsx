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
import type { CheckpointView, HistoryRow, NodeId, RunView, SessionId } from "@/api/bindings";
import { ContextualMenu, type MenuEntry } from "@/components/Menu";
import { useTextScale } from "@/design/textScale";
import { useBlueprint } from "@/plan/blueprintContext";
import { displayTitle } from "@/plan/nodeText";
import { HistoryLine } from "./HistoryLine";
import { eventNodes, historyLineCount } from "./historyText";
import { type RollbackTarget, rollbackLabel, rollbackTarget } from "./rollbackTarget";
import { useGoToNodes } from "./useGoToNodes";

const rowUnits = 28;
/** How many lines before the end of the loaded rows the next page is requested. */
const overscanRows = 20;

export interface HistoryListProps {
  /** The loaded events, newest first. */
  rows: readonly HistoryRow[];
  run: RunView;
  /** What the run can be rolled back to, in the order in which they were made. */
  checkpoints: readonly CheckpointView[];
  /** The loaded rollbacks, newest first, also those that a filter hides from `rows`. */
  rollbacks: readonly HistoryRow[];
  more: boolean;
  reading: boolean;
  onEarlier: () => void;
}

/**
 * The events as rows with a keyboard cursor. Enter opens the nodes of the current row, or asks for
 * the rollback to its checkpoint. The menu of the row has both.
 */
export function HistoryList({
  rows,
  run,
  checkpoints,
  rollbacks,
  more,
  reading,
  onEarlier,
}: HistoryListProps): ReactElement {
  const scroll = useRef<HTMLDivElement>(null);
  const rowHeight = rowUnits * useTextScale();
  // The cursor follows an event, not an index: new events are added above it.
  const [current, setCurrent] = useState<number>();
  const showNodes = useGoToNodes();
  const { page } = useBlueprint();
  const rollBack = ({ checkpoint }: RollbackTarget) =>
    page.setState({ checkpointsOpen: true, rollbackTo: checkpoint.number });
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

  const currentRow = rows[at];
  const entries = currentRow ? entriesOf(currentRow) : [];

  function entriesOf(row: HistoryRow): MenuEntry[] {
    const nodes = eventNodes(row.event);
    const [first] = nodes;
    const target = rollbackTarget(row, checkpoints, rollbacks);
    const show =
      nodes.length === 1 && first ? `Show the timeline of ${titleOf(first)}` : "Show nodes";
    return [
      ...(first ? [{ kind: "act" as const, label: show, onSelect: () => showNodes(nodes) }] : []),
      ...(target
        ? [
            {
              kind: "act" as const,
              label: rollbackLabel(target),
              ...(!target.exact && { detail: target.checkpoint.name }),
              onSelect: () => rollBack(target),
            },
          ]
        : []),
    ];
  }

  function open(row: HistoryRow) {
    const target = rollbackTarget(row, checkpoints, rollbacks);
    if (target?.exact) rollBack(target);
    else showNodes(eventNodes(row.event));
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
    if (target !== undefined) put(target);
    else if (event.key === "Enter" && currentRow) open(currentRow);
    else return;
    event.preventDefault();
  }

  return (
    <div ref={scroll} className="min-h-0 flex-1 overflow-auto [overflow-anchor:none]">
      <ContextualMenu entries={entries}>
        {/* biome-ignore lint/a11y/useSemanticElements: only visible lines are rendered, which a table cannot do */}
        <div
          onContextMenuCapture={(event) => {
            // The browser's own menu copies selected text.
            if (entries.length === 0 || window.getSelection()?.toString()) event.stopPropagation();
          }}
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
                  rollback={rollbackTarget(row, checkpoints, rollbacks)}
                  onRollBack={rollBack}
                  onPoint={() => setCurrent(row.seq)}
                />
              )
            );
          })}
        </div>
      </ContextualMenu>
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
