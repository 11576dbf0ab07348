import { useEffect, useEffectEvent, useState } from "react";
import { useBackend } from "@/api/backendContext";
import type { OutputLineCount, SessionId } from "@/api/bindings";
import type { OutputReader } from "./OutputReader";

/** A growing output is counted again after this time, in milliseconds. */
const recountMs = 1_000;

/** What was counted, and whether the last call counted more than the one before. */
interface Counting {
  count: OutputLineCount;
  progressed: boolean;
}

/**
 * Counts the lines of an output. Each call counts a part, so a large output takes several. The
 * numbers of the visible rows appear when their lines were counted.
 */
export function useLineCount(
  session: SessionId,
  reader: OutputReader,
  size: number,
): OutputLineCount | undefined {
  const backend = useBackend();
  const [counting, setCounting] = useState<Counting>();
  const isUnfinished = counting === undefined || needsMore(counting);
  // Growth alone doesn't restart the wait, or an output that always grows is never counted.
  const isDue = size > 0 && (isUnfinished || counting.count.size < size);

  const countMore = useEffectEvent(async (isOver: () => boolean) => {
    const count = await backend.call("output_line_count", { session });
    if (isOver()) return;
    const latest = { count, progressed: count.counted > (counting?.count.counted ?? -1) };
    setCounting(latest);
    if (!needsMore(latest) && lacksNumbers(reader)) reader.reread();
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each call leads to the next one
  useEffect(() => {
    if (!isDue) return;
    let isOver = false;
    const count = () => void countMore(() => isOver).catch(() => {});
    const timer = setTimeout(count, isUnfinished ? 0 : recountMs);
    return () => {
      clearTimeout(timer);
      isOver = true;
    };
  }, [session, isDue, isUnfinished, counting]);

  return counting?.count;
}

/** Without progress, the rest is counted when the output has grown. */
function needsMore({ count, progressed }: Counting): boolean {
  return count.lines === null && progressed;
}

/** Whether a visible row has no line number. The later rows of a long line never have one. */
function lacksNumbers(reader: OutputReader): boolean {
  const rows = reader.state().visible?.rows ?? [];
  return rows.some(({ line, continued }) => line === null && !continued);
}
