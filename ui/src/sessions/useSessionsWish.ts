import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import { addressOf, type SessionsWish, wishIn } from "./sessionsWish";

/** The wish in the address of the page. A choice is a place to go back to; a letter of a search is not. */
export function useSessionsWish(): {
  wish: SessionsWish;
  change: (part: Partial<SessionsWish>) => void;
} {
  const [address, setAddress] = useSearchParams();
  const wish = useMemo(() => wishIn(address), [address]);
  const change = useCallback(
    (part: Partial<SessionsWish>) =>
      setAddress((before) => addressOf({ ...wishIn(before), ...part }), {
        replace: "text" in part,
      }),
    [setAddress],
  );
  return { wish, change };
}
