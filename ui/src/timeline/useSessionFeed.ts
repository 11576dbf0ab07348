import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useBackend } from "@/api/backendContext";
import { type FeedState, SessionFeed } from "./SessionFeed";

/** The timeline of a session, current as long as the component stands. */
export function useSessionFeed(session: string): { feed: SessionFeed; state: FeedState } {
  const backend = useBackend();
  const feed = useMemo(
    () => new SessionFeed((range) => backend.call("session_timeline", { session, ...range })),
    [backend, session],
  );

  useEffect(() => {
    void feed.open();
    return backend.events((signal) => {
      if (signal.kind === "gap") void feed.reopen();
      else if (signal.event.change === "all") void feed.reopen();
      else if (signal.event.change === "session" && signal.event.session === session)
        void feed.news();
    });
  }, [backend, feed, session]);

  return { feed, state: useSyncExternalStore(feed.subscribe, feed.state) };
}
