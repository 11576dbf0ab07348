import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useBackend } from "@/api/backendContext";
import type { RunView } from "@/api/bindings";
import { type HistoryState, RunHistoryFeed } from "./RunHistoryFeed";

/**
 * Returns the history of a run, with functions to read more. It grows with the run, which is
 * refetched after every change.
 */
export function useRunHistory({ summary, seq }: RunView): HistoryState & {
  readEarlier: () => void;
  retry: () => void;
} {
  const backend = useBackend();
  const run = summary.id;
  const feed = useMemo(
    () => new RunHistoryFeed((after, limit) => backend.call("run_history", { run, after, limit })),
    [backend, run],
  );
  const state = useSyncExternalStore(feed.subscribe, feed.state);
  useEffect(() => feed.readUpTo(seq), [feed, seq]);
  const acts = useMemo(
    () => ({ readEarlier: () => feed.readEarlier(), retry: () => feed.retry() }),
    [feed],
  );
  return { ...state, ...acts };
}
