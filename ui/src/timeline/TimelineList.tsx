import {
  type ReactElement,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
} from "react";
import { classes } from "@/components/classes";
import type { EntrySequence } from "./entrySequence";
import type { FeedState, SessionFeed } from "./SessionFeed";
import { TimelineRowView } from "./TimelineRowView";
import { useTimelineContext } from "./timelineContext";
import { groupStart, type TimelineRow, timelineRowAt } from "./timelineRow";
import { useVirtualRows, type VirtualRows } from "./useVirtualRows";

/** Imperative handle of the list. */
export interface TimelineListHandle {
  /** Scrolls to an entry and optionally focuses it. `roomy` keeps space around it. */
  go: (seq: number, focus: boolean, roomy: boolean) => void;
}

export interface TimelineListProps {
  feed: SessionFeed;
  state: FeedState;
  sequence: EntrySequence;
  onSeen: (from: number, to: number) => void;
  handle: RefObject<TimelineListHandle | null>;
}

const estimatedHeight = 28;
const overscan = 8;
/** Small, because following involves no scrolling and each refresh may replace all visible rows. */
const overscanWhileFollowing = 1;

/** A virtualized list of the entries. Measures row heights and requests missing entries. */
export function TimelineList(props: TimelineListProps): ReactElement {
  const { feed, state, sequence, handle } = props;
  const { view, dispatch } = useTimelineContext();
  const scroller = useRef<HTMLDivElement>(null);
  const current = view.current === undefined ? -1 : sequence.placeOf(view.current);
  const virtual = useVirtualRows({
    scroller,
    sequence,
    estimatedHeight,
    overscan: view.following ? overscanWhileFollowing : overscan,
    // Unmounting the focused entry would lose the focus.
    keepMounted: current,
    following: view.following,
  });
  useReading(props, virtual, current);

  const focusing = useRef(0);
  useImperativeHandle(handle, () => ({
    go: (seq, focus, roomy) => {
      virtual.show(sequence.placeOf(seq), roomy);
      if (!focus) return;
      // The row may exist only after the next render. A late focus from an earlier move would
      // select the wrong row.
      cancelAnimationFrame(focusing.current);
      focusing.current = requestAnimationFrame(() => focusRow(scroller.current, seq));
    },
  }));
  const stopFollowing = () => dispatch({ act: "follow", following: false });
  const tabStop = current >= 0 ? current : virtual.from;

  return (
    <div
      ref={scroller}
      role="feed"
      aria-label="Timeline"
      aria-busy={state.phase === "opening"}
      onWheel={(event) => event.deltaY < 0 && stopFollowing()}
      onPointerDown={(event) => event.target === event.currentTarget && stopFollowing()}
      className="min-h-0 min-w-0 flex-1 overflow-y-auto overflow-x-hidden py-2 outline-none [overflow-anchor:none] [&_*::highlight(baton-found)]:bg-state-waiting-tint [&_*::highlight(baton-found)]:text-state-waiting"
    >
      <div className="relative w-full" style={{ height: virtual.height }}>
        {virtual.rows.map(({ place, top }) => {
          const seq = sequence.at(place);
          const row = timelineRowAt(
            seq,
            (at) => feed.entry(at),
            (first) => view.groups.has(first),
          );
          return (
            <Row
              key={seq}
              {...{ place, seq, row, top }}
              length={sequence.length}
              isCurrent={view.current === seq}
              isTabStop={place === tabStop}
            />
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  place: number;
  seq: number;
  row: TimelineRow;
  top: number;
  length: number;
  isCurrent: boolean;
  isTabStop: boolean;
}

function Row({ place, seq, row, top, length, isCurrent, isTabStop }: RowProps): ReactElement {
  const { dispatch } = useTimelineContext();
  return (
    // biome-ignore lint/a11y/useSemanticElements: screen readers would treat the article element as an empty landmark
    <div
      role="article"
      data-index={place}
      data-seq={seq}
      tabIndex={isTabStop ? 0 : -1}
      aria-posinset={place + 1}
      aria-setsize={length}
      aria-hidden={row.kind === "hidden" || undefined}
      onFocus={() => isCurrent || dispatch({ act: "select", seq })}
      style={{ transform: `translateY(${top}px)` }}
      className={classes(
        "absolute inset-x-0 top-0 px-4 focus-visible:outline-offset-[-2px]",
        isCurrent && "bg-hover/60",
      )}
    >
      <TimelineRowView row={row} seq={seq} />
    </div>
  );
}

function focusRow(scroller: HTMLElement | null, seq: number): void {
  scroller?.querySelector<HTMLElement>(`[data-seq="${seq}"]`)?.focus({ preventScroll: true });
}

/** Requests the rendered entries from the feed and reports the visible range. */
function useReading(props: TimelineListProps, virtual: VirtualRows, current: number): void {
  const { feed, state, sequence, onSeen } = props;
  const { from, to } = virtual;
  const { view, dispatch } = useTimelineContext();
  // A search hit may be hidden in a closed group.
  const revealCurrent = () => {
    if (view.current === undefined) return;
    const first = groupStart(view.current, (at) => feed.entry(at));
    if (first !== undefined && first !== view.current && !view.groups.has(first))
      dispatch({ act: "group", first, open: true });
  };
  const onRangeChange = useEffectEvent(() => {
    if (sequence.length === 0) return;
    const wanted = virtual.rows.map(({ place }) => sequence.at(place));
    feed.want(wanted);
    revealCurrent();
    onSeen(sequence.at(from), sequence.at(to));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the causes; the effect event reads the rest
  useEffect(onRangeChange, [from, to, sequence, state, current]);
}
