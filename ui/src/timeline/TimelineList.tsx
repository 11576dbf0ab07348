import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import {
  type ReactElement,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from "react";
import { classes } from "@/components/classes";
import { rowOf, type TimelineRow } from "./rowOf";
import type { FeedState, SessionFeed } from "./SessionFeed";
import type { Sequence } from "./sequence";
import { useSurroundings } from "./surroundings";
import { TimelineRowView } from "./TimelineRowView";

/** What the timeline tells its list to do. */
export interface ListHandle {
  /** Brings an entry into sight and gives it the focus. */
  go: (seq: number, focus?: boolean) => void;
}

export interface TimelineListProps {
  feed: SessionFeed;
  state: FeedState;
  sequence: Sequence;
  onSeen: (from: number, to: number) => void;
  handle: RefObject<ListHandle | null>;
}

const usualHeight = 30;
const keptAround = 10;

/** The entries as rows, of which only those near the window exist. Heights are measured; what is missing is asked for. */
export function TimelineList(props: TimelineListProps): ReactElement {
  const { feed, state, sequence, handle } = props;
  const { view, dispatch } = useSurroundings();
  const scroller = useRef<HTMLDivElement>(null);
  const current = view.current === undefined ? -1 : sequence.placeOf(view.current);

  const virtualizer = useVirtualizer({
    count: sequence.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    getItemKey: sequence.at,
    overscan: keptAround,
    paddingStart: 8,
    paddingEnd: 16,
    // The entry with the focus stays in the document, or the focus would be lost with it.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const rows = Array.from({ length: to - from + 1 }, (_, at) => from + at);
      if (current < 0 || current >= count || (current >= from && current <= to)) return rows;
      return current < from ? [current, ...rows] : [...rows, current];
    },
  });
  const items = virtualizer.getVirtualItems();
  useReading(props, virtualizer, current);
  useFollowing(virtualizer, view.following, scroller);

  const focus = useEffectEvent((seq: number) =>
    scroller.current?.querySelector<HTMLElement>(`[data-seq="${seq}"]`)?.focus({
      preventScroll: true,
    }),
  );
  useImperativeHandle(handle, () => ({
    go: (seq, withFocus = true) => {
      virtualizer.scrollToIndex(sequence.placeOf(seq), { align: "auto" });
      // The row may only exist after the scroll was drawn.
      if (withFocus) requestAnimationFrame(() => requestAnimationFrame(() => focus(seq)));
    },
  }));

  return (
    <div
      ref={scroller}
      role="feed"
      aria-label="Timeline"
      aria-busy={state.phase === "opening"}
      onWheel={(event) => event.deltaY < 0 && dispatch({ act: "follow", following: false })}
      onPointerDown={(event) =>
        event.target === event.currentTarget && dispatch({ act: "follow", following: false })
      }
      className="min-h-0 min-w-0 flex-1 overflow-y-auto overflow-x-hidden outline-none [&_*::highlight(baton-found)]:bg-state-waiting-tint [&_*::highlight(baton-found)]:text-state-waiting"
    >
      <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const seq = sequence.at(item.index);
          return (
            <Row
              key={item.key}
              place={item.index}
              seq={seq}
              row={rowOf(
                seq,
                (at) => feed.entry(at),
                (first) => view.groups.has(first),
              )}
              top={item.start}
              length={sequence.length}
              isCurrent={item.index === current || (current < 0 && item === items[0])}
              measure={virtualizer.measureElement}
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
  measure: (element: HTMLElement | null) => void;
}

function Row({ place, seq, row, top, length, isCurrent, measure }: RowProps): ReactElement {
  const { view, dispatch } = useSurroundings();
  return (
    // biome-ignore lint/a11y/useSemanticElements: the feed pattern wants its articles focusable
    <div
      ref={measure}
      role="article"
      data-index={place}
      data-seq={seq}
      tabIndex={isCurrent ? 0 : -1}
      aria-posinset={place + 1}
      aria-setsize={length}
      hidden={row.kind === "hidden"}
      onFocus={() => view.current === seq || dispatch({ act: "select", seq })}
      style={{ transform: `translateY(${top}px)` }}
      className={classes(
        "absolute inset-x-0 top-0 px-4 focus-visible:outline-offset-[-2px]",
        isCurrent && view.current === seq && "bg-hover/60",
      )}
    >
      <TimelineRowView row={row} seq={seq} />
    </div>
  );
}

type List = Virtualizer<HTMLDivElement, Element>;

/** Asks the feed for the entries near the window, and tells which are in it. */
function useReading(props: TimelineListProps, list: List, current: number): void {
  const { feed, state, sequence, onSeen } = props;
  const range = list.range;
  const from = range?.startIndex ?? 0;
  const to = range?.endIndex ?? 0;
  const tell = useEffectEvent(() => {
    if (sequence.length === 0 || !range) return;
    const first = Math.max(0, from - keptAround);
    const last = Math.min(sequence.length - 1, to + keptAround);
    const wanted = [];
    for (let at = first; at <= last; at += 1) wanted.push(sequence.at(at));
    if (current >= 0) wanted.push(sequence.at(current));
    feed.want(wanted);
    onSeen(sequence.at(from), sequence.at(Math.min(to, sequence.length - 1)));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the causes; the effect event reads the rest
  useEffect(tell, [from, to, sequence, state.revision, state.total, current]);
}

/** Keeps the end in sight while entries come and their heights settle. */
function useFollowing(list: List, following: boolean, scroller: RefObject<HTMLElement | null>) {
  const height = list.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new height is the cause
  useLayoutEffect(() => {
    const element = scroller.current;
    if (following && element) element.scrollTop = element.scrollHeight;
  }, [following, height, scroller]);
}
