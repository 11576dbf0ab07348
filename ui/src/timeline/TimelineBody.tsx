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

/** The entries, the minimap, and a button to follow the end of a live session. */
export function TimelineBody({ body, seen, onGo, ...list }: TimelineBodyProps): ReactElement {
  const { source, view, dispatch } = useTimelineContext();
  const { feed, state } = list;
  // Transcripts don't record that a session has ended, so only one that grows while open counts as
  // live.
  const isLive = source.kind === "session" ? !state.ended : state.grown;
  const isEmpty = state.phase === "open" && state.total === 0 && !state.reading;

  return (
    <div ref={body} className="relative flex min-h-0 flex-1">
      {isEmpty ? (
        <p className="flex-1 p-8 text-center text-faint">
          {isLive ? "No output yet." : "This session has no output."}
        </p>
      ) : (
        <TimelineList {...list} />
      )}
      {state.total > 0 && <Minimap feed={feed} state={state} seen={seen} onGo={onGo} />}
      {isLive && !view.following && state.total > 0 && (
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
