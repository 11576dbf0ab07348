import { ArrowDown } from "lucide-react";
import type { ReactElement, RefObject } from "react";
import { Button } from "@/components/Button";
import { Minimap } from "./Minimap";
import { TimelineList, type TimelineListProps } from "./TimelineList";
import { useTimelineContext } from "./timelineContext";

export interface TimelineBodyProps extends TimelineListProps {
  body: RefObject<HTMLDivElement | null>;
  seen: { from: number; to: number };
  onGo: (seq: number) => void;
}

/** The entries with the map at their side, and the way back to the end of a session that goes on. */
export function TimelineBody({ body, seen, onGo, ...list }: TimelineBodyProps): ReactElement {
  const { source, view, dispatch } = useTimelineContext();
  const { feed, state } = list;
  // An agent writes no end into its history: what does not grow before our eyes may have ended years ago.
  const goesOn = source.kind === "session" ? !state.ended : state.grown;
  const isEmpty = state.phase === "open" && state.total === 0 && !state.reading;

  return (
    <div ref={body} className="relative flex min-h-0 flex-1">
      {isEmpty ? (
        <p className="flex-1 p-8 text-center text-faint">
          {!goesOn ? "This session printed nothing." : "The session has not said anything yet."}
        </p>
      ) : (
        <TimelineList {...list} />
      )}
      {state.total > 0 && <Minimap feed={feed} state={state} seen={seen} onGo={onGo} />}
      {goesOn && !view.following && state.total > 0 && (
        <div className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-control shadow-float">
          <Button size="small" onClick={() => dispatch({ act: "follow", following: true })}>
            <ArrowDown aria-hidden="true" />
            Follow
          </Button>
        </div>
      )}
    </div>
  );
}
