import { useEffect, useRef, useState } from "react";
import type { TimelineEntry } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { isError, isQuestion } from "./entryFilters";
import type { SessionFeed } from "./SessionFeed";
import { findNext, scanEntries } from "./scanEntries";

type JumpTarget = "error" | "question";

const tests: Record<JumpTarget, (entry: TimelineEntry) => boolean> = {
  error: isError,
  question: isQuestion,
};

export interface JumpToEntry {
  /** A message while the search runs, or when it finds nothing. */
  status: string | undefined;
  busy: boolean;
  jump: (target: JumpTarget, step: 1 | -1) => void;
}

/**
 * Finds the next error or question, loading as many entries as needed. A new jump cancels the
 * previous one.
 */
export function useJumpToEntry(
  feed: SessionFeed,
  total: number,
  current: number | undefined,
  go: (seq: number) => void,
): JumpToEntry {
  const [status, setStatus] = useState<string>();
  const [busy, setBusy] = useState(false);
  const under = useRef(new AbortController());

  useEffect(() => () => under.current.abort(), []);

  async function jump(target: JumpTarget, step: 1 | -1): Promise<void> {
    under.current.abort();
    const controller = new AbortController();
    under.current = controller;
    setBusy(true);
    setStatus(undefined);
    const from = current === undefined ? (step === 1 ? 0 : total - 1) : current + step;
    const direction = step === 1 ? "next" : "previous";
    const onProgress = (at: number) =>
      setStatus(`Searching for the ${direction} ${target}, at entry ${formatNumber(at)}`);
    try {
      const batches = scanEntries(feed.read, from, step, total);
      const found = await findNext(batches, tests[target], controller.signal, onProgress);
      if (controller.signal.aborted) return;
      setStatus(found === undefined ? noneLeft(target, step) : undefined);
      if (found !== undefined) go(found);
    } catch {
      setStatus(`Couldn't search for the ${direction} ${target}`);
    }
    setBusy(false);
  }

  return { status, busy, jump: (target, step) => void jump(target, step) };
}

function noneLeft(target: JumpTarget, step: 1 | -1): string {
  return `No ${target} ${step === 1 ? "after" : "before"} this entry`;
}
