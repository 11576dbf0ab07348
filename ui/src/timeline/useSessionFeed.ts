import { startTransition, useEffect, useMemo, useState } from "react";
import { useBackend } from "@/api/backendContext";
import { type FeedState, SessionFeed } from "./SessionFeed";
import { newsFor, rangeReader, sourceName, type TimelineSource } from "./source";

/** A timeline, current as long as the component stands. */
export function useSessionFeed(source: TimelineSource): { feed: SessionFeed; state: FeedState } {
  const backend = useBackend();
  const name = sourceName(source);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name tells sources apart, however often they are made
  const feed = useMemo(() => new SessionFeed(rangeReader(backend, source)), [backend, name]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    void feed.open();
    return backend.events((signal) => {
      const news = newsFor(source, signal);
      if (news === "lost") void feed.reopen();
      if (news === "grown") void feed.news();
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
