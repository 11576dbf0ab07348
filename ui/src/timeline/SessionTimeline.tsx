import {
  type ReactElement,
  useEffect,
  useEffectEvent,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "react";
import type { UnlistedToolCall } from "@/api/bindings";
import type { FilePlace } from "@/attempt/filePlace";
import { useFilePlaces } from "@/attempt/useFilePlaces";
import { ErrorState } from "@/components/ErrorState";
import { isOpenByDefault } from "./entryFilters";
import { allEntries, filteredEntries } from "./entrySequence";
import { FilterNotice } from "./FilterNotice";
import { ReadingNotice } from "./ReadingNotice";
import type { FeedState } from "./SessionFeed";
import { TimelineBody } from "./TimelineBody";
import { TimelineEnd } from "./TimelineEnd";
import type { TimelineListHandle } from "./TimelineList";
import { TimelineToolbar } from "./TimelineToolbar";
import { type OpenQuestion, TimelineContext } from "./timelineContext";
import { timelineNavigation } from "./timelineNavigation";
import { hasOwnEnd, type TimelineSource } from "./timelineSource";
import { initialTimelineView, timelineViewReducer } from "./timelineView";
import { useFilterScan } from "./useFilterScan";
import { useJumpToEntry } from "./useJumpToEntry";
import { useSessionDirectory } from "./useSessionDirectory";
import { useSessionFeed } from "./useSessionFeed";
import { useTextHighlight } from "./useTextHighlight";
import { useTimelineKeys } from "./useTimelineKeys";
import { useTimelineSearch } from "./useTimelineSearch";

export interface SessionTimelineProps {
  source: TimelineSource;
  /** Start of the session in milliseconds since 1970. Without it, entries show the time of day. */
  startedAt?: number | null | undefined;
  /** Opens at the end and stays there as entries arrive. */
  follow?: boolean;
  question?: OpenQuestion | undefined;
  outside?: readonly UnlistedToolCall[];
  /** Ctrl+F searches this timeline from anywhere in the window, not only from within it. */
  ownsFind?: boolean;
  /** The search result to open at; its entry and text are highlighted. */
  target?: TimelineTarget | undefined;
}

/** The entry that a search result points to, and the search text. */
export interface TimelineTarget {
  seq: number;
  text: string;
}

const noCalls: readonly UnlistedToolCall[] = [];

/**
 * The entries of one session, in order. Loads only what is on screen, so long sessions open
 * immediately.
 */
export function SessionTimeline(props: SessionTimelineProps): ReactElement {
  const { source, startedAt, follow = false, question, ownsFind = false, target } = props;
  const { outside = noCalls } = props;
  const { feed, state } = useSessionFeed(source);
  const [view, dispatch] = useReducer(timelineViewReducer, follow, initialTimelineView);
  const [seen, setSeen] = useState({ from: 0, to: 0 });
  const list = useRef<TimelineListHandle>(null);
  const body = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);

  const filtered = useFilterScan(feed, state.total, view.filter);
  const seqs = filtered?.found.seqs;
  const sequence = useMemo(
    () => (seqs ? filteredEntries(view.filter, seqs) : allEntries(state.total)),
    [seqs, state.total, view.filter],
  );
  const navigation = timelineNavigation({
    ...{ feed, state, view, sequence, dispatch, list },
    firstSeen: seen.from,
  });
  const isPartial = state.reading !== null;
  // What was read so far of a long session is its beginning.
  const showsEnd = isPartial && view.following && view.filter === "all" && hasOwnEnd(source);
  const search = useTimelineSearch(source, view.current, isPartial, target?.text);
  const jump = useJumpToEntry(feed, state.total, view.current, navigation.find);
  const onKeyDown = useTimelineKeys({ navigation, jump, toggle, searchField, ownsFind });
  useTextHighlight(body, search.text, `${seen.from} ${seen.to} ${state.revision} ${view.current}`);

  const directory = useSessionDirectory(source);
  const places = useFilePlaces(source.kind === "session" ? source.session : "");
  const placeOpener = useRef(places.openPath);
  useEffect(() => {
    placeOpener.current = places.openPath;
  });
  const openPath = useMemo(
    () =>
      source.kind === "session" ? (place: FilePlace) => placeOpener.current(place) : undefined,
    [source],
  );

  const isOpen = state.phase === "open" && state.total > 0;
  const land = useEffectEvent(() => target && navigation.find(target.seq));
  useEffect(() => {
    if (isOpen) land();
  }, [isOpen]);

  const surroundings = useMemo(
    () => ({
      ...{ source, question, outside, view, dispatch, directory, openPath },
      startedAt: startedAt ?? undefined,
    }),
    [source, startedAt, question, outside, view, directory, openPath],
  );

  function toggle() {
    navigation.toggle((seq) => {
      const entry = feed.entry(seq);
      return view.opened.get(seq) ?? (entry !== undefined && isOpenByDefault(entry));
    });
  }

  function goToHit(step: 1 | -1) {
    const hit = search.hitFrom(view.current, step);
    if (hit === undefined) return;
    dispatch({ act: "open", seq: hit, open: true });
    navigation.find(hit, false);
  }

  function leaveSearch() {
    search.setText("");
    list.current?.go(view.current ?? seen.from, true, false);
  }

  if (state.phase === "failed" && state.total === 0) {
    return (
      <div className="min-w-0 flex-1">
        <ErrorState
          title="Couldn't load the timeline"
          detail={state.error?.code}
          onRetry={() => void feed.open()}
        >
          {state.error?.message}
        </ErrorState>
      </div>
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
          searchField={searchField}
          onHit={goToHit}
          onLeaveSearch={leaveSearch}
          jump={jump}
          onEnd={navigation.toEnd}
        />
        {state.reading && (
          <ReadingNotice
            {...state.reading}
            onStart={showsEnd ? () => dispatch({ act: "follow", following: false }) : undefined}
          />
        )}
        {filtered && <FilterNotice {...filtered} filter={view.filter} total={state.total} />}
        {showsEnd ? (
          <TimelineEnd />
        ) : (
          <TimelineBody
            {...{ body, feed, state, sequence, seen }}
            handle={list}
            onSeen={(from, to) => setSeen({ from, to })}
            onGo={(seq) => navigation.find(seq, false)}
          />
        )}
        {places.view}
        <ReadFailure state={state} onRetry={() => void feed.open()} />
      </section>
    </TimelineContext>
  );
}

/** An error while loading more entries; those already loaded stay visible. */
function ReadFailure({
  state,
  onRetry,
}: {
  state: FeedState;
  onRetry: () => void;
}): ReactElement | null {
  if (!state.error || state.total === 0) return null;
  return (
    <p role="alert" className="border-t px-4 py-1 text-12 text-danger-fg">
      Couldn't load the latest entries. {state.error.message}{" "}
      <button type="button" className="underline" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}
