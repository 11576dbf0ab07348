import { startTransition, useEffect, useMemo, useState } from "react";
import { useBackend } from "@/api/backendContext";
import { type FeedState, SessionFeed } from "./SessionFeed";
import {
  rangeReader,
  type TimelineSource,
  timelineChangeFrom,
  timelineSourceId,
} from "./timelineSource";

/** A timeline, current as long as the component stands. */
export function useSessionFeed(source: TimelineSource): { feed: SessionFeed; state: FeedState } {
  const backend = useBackend();
  const name = timelineSourceId(source);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name tells sources apart, however often they are made
  const feed = useMemo(() => new SessionFeed(rangeReader(backend, source)), [backend, name]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    void feed.open();
    return backend.events((signal) => {
      const change = timelineChangeFrom(source, signal);
      if (change === "lost") void feed.reopen();
      if (change === "grown") void feed.refresh();
    });
  }, [backend, feed, name]);

  return { feed, state: useFeedState(feed) };
}

/**
 * The latest state of the feed. New entries are drawn in small portions between which keys and scrolling are heard: a
 * session may bring a screenful of them many times a second.
 */
function useFeedState(feed: SessionFeed): FeedState {
  const [seen, setSeen] = useState({ feed, state: feed.state() });
  useEffect(() => {
    const look = () => startTransition(() => setSeen({ feed, state: feed.state() }));
    look();
    return feed.subscribe(look);
  }, [feed]);
  return seen.feed === feed ? seen.state : feed.state();
}
