import { useEffect, useRef, useState } from "react";
import type { ListedSession, PagedSessions } from "./usePagedSessions";

/** How long the cursor stays on a line until its session is read, in milliseconds: arrows pass many. */
const delayMs = 120;

/**
 * The session of the line where the cursor has come to rest. It stays the same one when the list moves beneath it:
 * somebody reads it.
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
