import { useEffect, useRef, useState } from "react";
import type { TimelineEntry } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { isError, isQuestion } from "./entryFilters";
import type { SessionFeed } from "./SessionFeed";
import { findNext, scanEntries } from "./scanEntries";

/** What can be jumped to. */
type JumpTarget = "error" | "question";

const tests: Record<JumpTarget, (entry: TimelineEntry) => boolean> = {
  error: isError,
  question: isQuestion,
};

export interface JumpToEntry {
  /** What the search for the target says while it lasts, and when it finds nothing. */
  status: string | undefined;
  busy: boolean;
  jump: (target: JumpTarget, step: 1 | -1) => void;
}

/** Finds the next error or question by reading on, however far that is. A new jump ends the one under way. */
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
    const leaving = new AbortController();
    under.current = leaving;
    setBusy(true);
    setStatus(undefined);
    const from = current === undefined ? (step === 1 ? 0 : total - 1) : current + step;
    const tell = (at: number) =>
      setStatus(`Looking for the next ${target}, at ${formatNumber(at)}`);
    try {
      const batches = scanEntries(feed.read, from, step, total);
      const found = await findNext(batches, tests[target], leaving.signal, tell);
      if (leaving.signal.aborted) return;
      setStatus(found === undefined ? noneLeft(target, step) : undefined);
      if (found !== undefined) go(found);
    } catch {
      setStatus(`The next ${target} could not be looked for`);
    }
    setBusy(false);
  }

  return { status, busy, jump: (target, step) => void jump(target, step) };
}

function noneLeft(target: JumpTarget, step: 1 | -1): string {
  return `No ${target} ${step === 1 ? "after" : "before"} this entry`;
}
