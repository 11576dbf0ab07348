import { useNow } from "@/components/useNow";
import { inactivityText } from "./inactivity";

/** The inactivity warning of a node, updated every second; undefined while there is none. */
export function useInactivityText(since: number | undefined, after: number): string | undefined {
  const now = useNow(since === undefined ? 0 : 1_000);
  return inactivityText(since, now, after);
}
