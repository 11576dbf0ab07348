import { ArrowDown } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "react";
import type { SessionId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { canOpen } from "./entryFacts";
import { FilterNotice } from "./FilterNotice";
import { Minimap } from "./Minimap";
import { rowOf } from "./rowOf";
import type { SessionFeed } from "./SessionFeed";
import { allEntries, type Sequence, someEntries } from "./sequence";
import { type OpenQuestion, TimelineContext } from "./surroundings";
import { type ListHandle, TimelineList } from "./TimelineList";
import { TimelineToolbar } from "./TimelineToolbar";
import { isFindKey, timelineKey } from "./timelineKeys";
import { actOn, freshView, type TimelineView } from "./timelineView";
import { useFilterScan } from "./useFilterScan";
import { useJump } from "./useJump";
import { useSessionFeed } from "./useSessionFeed";
import { useTextHighlight } from "./useTextHighlight";
import { useTimelineSearch } from "./useTimelineSearch";

export interface SessionTimelineProps {
  session: SessionId;
  /** When the session began, in milliseconds since 1970; without it entries tell the time of day. */
  startedAt?: number | null | undefined;
  /** Opens at the end and stays there while entries come. */
  follow?: boolean;
  question?: OpenQuestion | undefined;
  /** Control+F anywhere in the window means this timeline; otherwise only within it. */
  ownsFind?: boolean;
}

/** What happened in one session, in order. Opens sessions of any length at once; reads only what is looked at. */
export function SessionTimeline(props: SessionTimelineProps): ReactElement {
  const { session, startedAt, follow = false, question, ownsFind = false } = props;
  const { feed, state } = useSessionFeed(session);
  const [view, dispatch] = useReducer(actOn, follow, freshView);
  const [seen, setSeen] = useState({ from: 0, to: 0 });
  const list = useRef<ListHandle>(null);
  const body = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const filtered = useFilterScan(feed, state.total, view.filter);
  const seqs = filtered?.found.seqs;
  const sequence = useMemo(
    () => (seqs ? someEntries(view.filter, seqs) : allEntries(state.total)),
    [seqs, state.total, view.filter],
  );
  const search = useTimelineSearch(session, view.current);
  const jump = useJump(feed, state.total, view.current, go);
  useTextHighlight(body, search.text, `${seen.from} ${seen.to} ${state.revision} ${view.current}`);
  useFindKey(ownsFind, field);

  const surroundings = useMemo(
    () => ({ session, startedAt: startedAt ?? undefined, question, view, dispatch }),
    [session, startedAt, question, view],
  );

  function go(seq: number, focus = true) {
    dispatch({ act: "follow", following: false });
    dispatch({ act: "select", seq });
    list.current?.go(seq, focus);
  }

  function goToEnd(end: "top" | "bottom") {
    go(sequence.at(end === "top" ? 0 : sequence.length - 1));
    if (end === "bottom" && !state.ended) dispatch({ act: "follow", following: true });
  }

  function goToHit(step: 1 | -1) {
    const hit = search.hitFrom(view.current, step);
    if (hit === undefined) return;
    dispatch({ act: "open", seq: hit, open: true });
    go(hit, false);
  }

  function leaveSearch() {
    search.setText("");
    list.current?.go(view.current ?? seen.from, true);
  }

  function onKeyDown(event: KeyboardEvent) {
    const meaning = timelineKey(event);
    const inEntries = !(event.target as Element).closest("input, textarea, select, [role=radio]");
    const onButton = event.key === "Enter" && (event.target as Element).closest("button, a");
    if (!meaning || onButton || (!inEntries && meaning.act !== "find")) return;
    event.preventDefault();
    switch (meaning.act) {
      case "step":
        return go(neighbour(feed, view, sequence, view.current ?? seen.from, meaning.by));
      case "toggle":
        return toggleCurrent();
      case "end":
        return goToEnd(meaning.end);
      case "jump":
        return jump.jump(meaning.target, meaning.step);
      case "find":
        return find(field);
    }
  }

  function toggleCurrent() {
    if (view.current === undefined) return;
    const row = rowAt(feed, view, view.current);
    if (row.kind === "group") dispatch({ act: "group", first: view.current, open: !row.open });
    else if (row.kind === "entry" && canOpen(row.entry))
      body.current
        ?.querySelector<HTMLElement>(`[data-seq="${view.current}"] button[aria-expanded]`)
        ?.click();
  }

  if (state.phase === "failed" && state.total === 0) {
    return (
      <ErrorState
        title="The timeline could not be read"
        detail={state.error?.code}
        onRetry={() => void feed.open()}
      >
        {state.error?.message}
      </ErrorState>
    );
  }

  return (
    <TimelineContext value={surroundings}>
      <section
        aria-label="Session timeline"
        onKeyDown={onKeyDown}
        className="flex min-h-0 min-w-0 flex-1 flex-col"
      >
        <TimelineToolbar
          filter={view.filter}
          onFilter={(filter) => dispatch({ act: "filter", filter })}
          search={search}
          searchField={field}
          onHit={goToHit}
          onLeaveSearch={leaveSearch}
          jump={jump}
          onEnd={goToEnd}
        />
        {filtered && <FilterNotice {...filtered} filter={view.filter} total={state.total} />}
        <div ref={body} className="relative flex min-h-0 flex-1">
          {state.phase === "open" && state.total === 0 ? (
            <p className="flex-1 p-8 text-center text-faint">
              {state.ended
                ? "This session printed nothing."
                : "The session has not said anything yet."}
            </p>
          ) : (
            <TimelineList
              feed={feed}
              state={state}
              sequence={sequence}
              onSeen={(from, to) => setSeen({ from, to })}
              handle={list}
            />
          )}
          {state.total > 0 && (
            <Minimap feed={feed} state={state} seen={seen} onGo={(seq) => go(seq, false)} />
          )}
          {!state.ended && !view.following && state.total > 0 && (
            <div className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-control shadow-float">
              <Button size="small" onClick={() => dispatch({ act: "follow", following: true })}>
                <ArrowDown aria-hidden="true" />
                Follow
              </Button>
            </div>
          )}
        </div>
        {state.error && state.total > 0 && (
          <p role="alert" className="border-t px-4 py-1 text-12 text-danger-fg">
            The latest entries could not be read. {state.error.message}{" "}
            <button type="button" className="underline" onClick={() => void feed.open()}>
              Try again
            </button>
          </p>
        )}
      </section>
    </TimelineContext>
  );
}

function rowAt(feed: SessionFeed, view: TimelineView, seq: number) {
  return rowOf(
    seq,
    (at) => feed.entry(at),
    (first) => view.groups.has(first),
  );
}

/** The next entry with a row in sight; entries hidden in a closed group are passed over. */
function neighbour(
  feed: SessionFeed,
  view: TimelineView,
  sequence: Sequence,
  seq: number,
  by: 1 | -1,
): number {
  let place = sequence.placeOf(seq) + by;
  while (
    place > 0 &&
    place < sequence.length - 1 &&
    rowAt(feed, view, sequence.at(place)).kind === "hidden"
  ) {
    place += by;
  }
  return sequence.at(Math.min(sequence.length - 1, Math.max(0, place)));
}

function find(field: { current: HTMLInputElement | null }): void {
  field.current?.focus();
  field.current?.select();
}

function useFindKey(ownsFind: boolean, field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    if (!ownsFind) return;
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (!isFindKey(event)) return;
      event.preventDefault();
      find(field);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [ownsFind, field]);
}
