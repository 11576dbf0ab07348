import { useEffect, useRef, useState } from "react";
import type { ListedSession, PagedSessions } from "./usePagedSessions";

/**
 * Delay before the session of a line is loaded, in milliseconds, because arrow keys pass many
 * lines.
 */
const delayMs = 120;

/**
 * Returns the session of the line at which the cursor has stopped. It doesn't change when the list
 * is reordered, because the user may be reading it.
 */
export function useDebouncedSession(
  sessions: PagedSessions,
  at: number,
): ListedSession | undefined {
  const [resting, setResting] = useState(at);
  const [session, setSession] = useState<ListedSession>();
  const read = useRef(-1);

  useEffect(() => {
    const timer = setTimeout(() => setResting(at), delayMs);
    return () => clearTimeout(timer);
  }, [at]);
  useEffect(() => {
    const found = resting === read.current ? undefined : sessions.at(resting);
    if (!found) return;
    read.current = resting;
    setSession(found);
  }, [resting, sessions]);

  return session;
}
