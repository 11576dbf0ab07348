import { type ReactElement, useMemo, useReducer, useRef } from "react";
import { ErrorState } from "@/components/ErrorState";
import { allEntries } from "./entrySequence";
import { TimelineList, type TimelineListHandle } from "./TimelineList";
import { TimelineContext, useTimelineContext } from "./timelineContext";
import { initialTimelineView, timelineViewReducer } from "./timelineView";
import { useSessionFeed } from "./useSessionFeed";

/**
 * The last entries of a long timeline while the rest is being read. Their numbers are not those of
 * the whole timeline, so this has its own feed and view.
 */
export function TimelineEnd(): ReactElement {
  const outer = useTimelineContext();
  const source = useMemo(() => ({ ...outer.source, ofEnd: true }) as const, [outer.source]);
  const { feed, state } = useSessionFeed(source);
  const [view, dispatch] = useReducer(timelineViewReducer, true, initialTimelineView);
  const list = useRef<TimelineListHandle>(null);
  const sequence = useMemo(() => allEntries(state.total), [state.total]);
  const surroundings = useMemo(() => ({ ...outer, source, view, dispatch }), [outer, source, view]);

  if (state.phase === "failed" && state.total === 0) {
    return (
      <ErrorState
        title="Couldn't load the end of the timeline"
        detail={state.error?.code}
        onRetry={() => void feed.open()}
      >
        {state.error?.message}
      </ErrorState>
    );
  }
  return (
    <TimelineContext value={surroundings}>
      <div className="relative flex min-h-0 flex-1">
        <TimelineList {...{ feed, state, sequence }} handle={list} onSeen={() => {}} />
      </div>
    </TimelineContext>
  );
}
