import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactElement,
  useMemo,
  useRef,
  useState,
} from "react";
import type { OutputHit, OutputRow } from "@/api/bindings";
import { OutputRowView } from "@/attempt/outputRows/OutputRowView";
import { selectedText } from "@/attempt/outputRows/selectedText";
import { classes } from "@/components/classes";
import { allEntries } from "./entrySequence";
import type { TextRows } from "./TextRows";
import type { TextPreferences } from "./textPreferences";
import { useTimelineContext } from "./timelineContext";
import { useVirtualRows } from "./useVirtualRows";

interface TextRowListProps {
  rows: TextRows;
  preferences: TextPreferences;
}

const look = "py-1.5 font-mono text-12 select-text";
const estimatedHeight = 18;
const overscan = 12;

/** A few rows, all of them rendered. */
export function ShortTextRowList({ rows, preferences }: TextRowListProps): ReactElement {
  const { length } = rows;
  return (
    <div onCopy={copySelection} className={classes(look, !preferences.wrap && "overflow-x-auto")}>
      <div style={widthOf(rows, preferences)}>
        {Array.from({ length }, (_, place) => rows.row(place)).map((row) => (
          <TextRow key={row.position} {...{ row, rows, preferences }} />
        ))}
      </div>
    </div>
  );
}

/** Rows of any number: only the visible ones are rendered. */
export function TextRowList({ rows, preferences }: TextRowListProps): ReactElement {
  const { length } = rows;
  const { wrap } = preferences;
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(-1);
  // With other line breaks, rows have other heights.
  const sequence = useMemo(
    () => ({ ...allEntries(length), id: wrap ? "wrapped" : "unwrapped" }),
    [length, wrap],
  );
  const virtual = useVirtualRows({
    ...{ scroller, sequence, estimatedHeight, overscan },
    // Unmounting a focused link would lose the focus.
    keepMounted: focused,
    following: false,
  });

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      ref={scroller}
      role="group"
      aria-label="Full text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
      tabIndex={0}
      onCopy={copySelection}
      onKeyDown={keepScrollKey}
      onFocus={({ target, currentTarget }) => setFocused(placeIn(currentTarget, target))}
      onBlur={() => setFocused(-1)}
      className={classes(look, "max-h-120 overflow-auto [overflow-anchor:none]")}
    >
      <div className="relative" style={{ ...widthOf(rows, preferences), height: virtual.height }}>
        {virtual.rows.map(({ place, top }) => (
          <div
            key={place}
            data-index={place}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${top}px)` }}
          >
            <TextRow row={rows.row(place)} {...{ rows, preferences }} />
          </div>
        ))}
      </div>
    </div>
  );
}

const noHits: readonly OutputHit[] = [];

function TextRow(props: TextRowListProps & { row: OutputRow }): ReactElement {
  const { row, rows, preferences } = props;
  const { openPath } = useTimelineContext();
  return (
    <OutputRowView
      row={row}
      hits={noHits}
      currentHit={undefined}
      isCurrent={false}
      isSelected={false}
      wrap={preferences.wrap}
      lineNumbers={preferences.lineNumbers}
      lineDigits={String(rows.lastLine).length}
      timesFrom={undefined}
      onSelect={undefined}
      onOpenPath={openPath}
    />
  );
}

/** Without line breaks, all rows are as wide as the longest, and line numbers stay at the edge. */
function widthOf(rows: TextRows, { wrap }: TextPreferences) {
  return wrap ? undefined : { minWidth: `max(100%, ${rows.longestRow + 12}ch)` };
}

/** Copies lines as they are in the text. A selection that leaves it is the browser's. */
function copySelection(event: ClipboardEvent<HTMLElement>) {
  const { currentTarget } = event;
  const selection = window.getSelection();
  if (!selection?.rangeCount) return;
  if (!currentTarget.contains(selection.getRangeAt(0).commonAncestorContainer)) return;
  const text = selectedText(currentTarget, selection);
  if (text === undefined) return;
  event.clipboardData.setData("text/plain", text);
  event.preventDefault();
}

const scrollKeys = new Set([
  ...["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"],
  ...["Home", "End", "PageUp", "PageDown"],
]);

/** These keys scroll the text, and don't move in the timeline around it. */
function keepScrollKey(event: KeyboardEvent) {
  if (scrollKeys.has(event.key)) event.stopPropagation();
}

/** The place of the row that an element is in; -1 for the list itself, which is in an outer row. */
function placeIn(list: Element, target: Element): number {
  if (target === list) return -1;
  return Number(target.closest<HTMLElement>("[data-index]")?.dataset.index ?? -1);
}
