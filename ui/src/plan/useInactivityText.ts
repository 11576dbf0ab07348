import { useNow } from "@/components/useNow";
import { inactivityText } from "./inactivity";

/** The quiet warning of a node, by the clock that all running nodes share; nothing while there is none. */
export function useInactivityText(since: number | undefined, after: number): string | undefined {
  const now = useNow(since === undefined ? 0 : 1_000);
  return inactivityText(since, now, after);
}
