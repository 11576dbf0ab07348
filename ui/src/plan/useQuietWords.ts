import { useNow } from "@/components/useNow";
import { quietWords } from "./quiet";

/** The quiet warning of a node, by the clock that all running nodes share; nothing while there is none. */
export function useQuietWords(since: number | undefined, after: number): string | undefined {
  const now = useNow(since === undefined ? 0 : 1_000);
  return quietWords(since, now, after);
}
