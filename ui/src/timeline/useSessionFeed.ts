import { useEffect, useMemo, useSyncExternalStore } from "react";
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

  return { feed, state: useSyncExternalStore(feed.subscribe, feed.state) };
}
