import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import { parseSessionsQuery, type SessionsQuery, toSearchParams } from "./sessionsQuery";

/**
 * The query in the URL. Changing a filter adds a history entry; typing a search text replaces it.
 */
export function useSessionsQuery(): {
  query: SessionsQuery;
  change: (part: Partial<SessionsQuery>) => void;
} {
  const [address, setAddress] = useSearchParams();
  const query = useMemo(() => parseSessionsQuery(address), [address]);
  const change = useCallback(
    (part: Partial<SessionsQuery>) =>
      setAddress((before) => toSearchParams({ ...parseSessionsQuery(before), ...part }), {
        replace: "text" in part,
      }),
    [setAddress],
  );
  return { query, change };
}
