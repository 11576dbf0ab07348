import { type ClipboardEvent, type ReactElement, type RefObject, useId, useRef } from "react";
import type { OutputHit, OutputRow } from "@/api/bindings";
import type { OpenPath } from "@/attempt/outputRows/fileLinks";
import { OutputRowView, type OutputRowViewProps } from "@/attempt/outputRows/OutputRowView";
import { selectedText } from "@/attempt/outputRows/selectedText";
import { classes } from "@/components/classes";
import { EmptyState } from "@/components/EmptyState";
import type { OutputReader, OutputState } from "./OutputReader";
import { OutputScrollbar } from "./OutputScrollbar";
import { OutputSkeleton } from "./OutputSkeleton";
import type { OutputPreferences } from "./outputPreferences";
import { hitsInRow } from "./searchHits";
import type { LineSelecting } from "./useLineSelection";
import type { OutputSearchState } from "./useOutputSearch";
import { useScrollGestures } from "./useScrollGestures";
import { useViewportSize } from "./useViewportSize";

export interface OutputBodyProps {
  scroller: RefObject<HTMLDivElement | null>;
  reader: OutputReader;
  state: OutputState;
  preferences: OutputPreferences;
  startedAt: number | undefined;
  lines: number | undefined;
  search: OutputSearchState;
  selecting: LineSelecting;
  errors: readonly number[];
  /** The position of the row where the last jump landed. */
  current: number | undefined;
  onOpenPath: OpenPath | undefined;
}

/** The rows that are visible, and the scroll bar. */
export function OutputBody(props: OutputBodyProps): ReactElement {
  const { scroller, reader, state, preferences, search, errors, selecting } = props;
  const id = useId();
  const probe = useRef<HTMLDivElement>(null);
  useScrollGestures(scroller, reader);
  useViewportSize({ scroller, probe }, reader, preferences.wrap);

  function onCopy(event: ClipboardEvent<HTMLElement>) {
    const text = selectedText(event.currentTarget, window.getSelection());
    if (text === undefined) return;
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  }

  /** From now on, copying means the selected lines. */
  function selectLine(row: OutputRow, extend: boolean) {
    window.getSelection()?.removeAllRanges();
    scroller.current?.focus({ preventScroll: true });
    selecting.select(row, extend);
  }

  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 bg-canvas">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div
        ref={scroller}
        id={id}
        role="group"
        aria-label="Output lines"
        aria-busy={state.jumping}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
        tabIndex={0}
        onCopy={onCopy}
        className="peer relative isolate min-w-0 flex-1 touch-pan-x select-text overflow-x-auto overflow-y-hidden overscroll-contain font-mono text-12 leading-4.5 outline-none"
      >
        <div ref={probe} aria-hidden="true" className="invisible absolute h-4.5 w-px" />
        <Rows {...props} onSelect={selectLine} />
        <OutputSkeleton isLoading={state.phase === "loading" || state.jumping} />
        {state.phase === "open" && !state.visible && !state.jumping && (
          <div className="absolute inset-0 font-sans">
            <EmptyState title={state.ended ? "No output" : "No output yet"} />
          </div>
        )}
      </div>
      {/* The outline of the rows themselves would be below their line numbers. */}
      <div className="pointer-events-none absolute inset-0 outline-focus -outline-offset-2 peer-focus-visible:outline-2" />
      <OutputScrollbar controls={id} {...{ reader, state, errors }} hits={search.hits} />
    </div>
  );
}

/** Always the same list, so that rows without matches aren't rendered again. */
const noHits: readonly OutputHit[] = [];

function Rows(props: OutputBodyProps & Pick<OutputRowViewProps, "onSelect">): ReactElement | null {
  const { state, preferences, startedAt, lines, search, selecting, current, onOpenPath } = props;
  const widest = useRef(0);
  const { visible } = state;
  if (!visible) return null;
  for (const { text } of visible.rows) widest.current = Math.max(widest.current, text.length);
  const { from = 0, to = 0 } = selecting.selection ?? {};
  const lastLine = lines ?? visible.rows.findLast(({ line }) => line !== null)?.line ?? 0;
  return (
    <div
      style={{
        transform: `translateY(${visible.top}px)`,
        // The widest row so far: the horizontal scroll bar doesn't jump.
        ...(!preferences.wrap && { minWidth: `max(100%, ${widest.current + 24}ch)` }),
      }}
      className={classes(!preferences.wrap && "w-max")}
    >
      {visible.rows.map((row) => {
        const hits = hitsInRow(search.hits, row.position);
        return (
          <OutputRowView
            key={row.position}
            row={row}
            hits={hits.length > 0 ? hits : noHits}
            currentHit={search.current?.row === row.position ? search.current : undefined}
            isCurrent={row.position === current}
            isSelected={row.position >= from && row.position < to}
            wrap={preferences.wrap}
            lineNumbers={preferences.lineNumbers}
            lineDigits={Math.max(4, String(lastLine).length)}
            timesFrom={preferences.timestamps ? startedAt : undefined}
            onSelect={props.onSelect}
            onOpenPath={onOpenPath}
          />
        );
      })}
    </div>
  );
}
