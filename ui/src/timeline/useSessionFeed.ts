import { startTransition, useEffect, useMemo, useState } from "react";
import { useBackend } from "@/api/backendContext";
import { type FeedState, SessionFeed } from "./SessionFeed";
import {
  rangeReader,
  type TimelineSource,
  timelineChangeFrom,
  timelineSourceId,
} from "./timelineSource";

/** Opens a feed and keeps it current while the component is mounted. */
export function useSessionFeed(source: TimelineSource): { feed: SessionFeed; state: FeedState } {
  const backend = useBackend();
  const name = timelineSourceId(source);
  // biome-ignore lint/correctness/useExhaustiveDependencies: sources are compared by id, not by identity
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
 * The latest state of the feed. Updates are transitions, so keys and scrolling stay responsive
 * while a session adds a screenful of entries many times a second.
 */
function useFeedState(feed: SessionFeed): FeedState {
  const [seen, setSeen] = useState({ feed, state: feed.state() });
  useEffect(() => {
    const update = () => startTransition(() => setSeen({ feed, state: feed.state() }));
    update();
    return feed.subscribe(update);
  }, [feed]);
  return seen.feed === feed ? seen.state : feed.state();
}
