import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { Backend } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import type { RunId } from "@/api/bindings";
import { StateHistoryFeed, type StateHistoryFeedState } from "@/run/StateHistoryFeed";
import { useEditor } from "./editor";

// The playback bar and the Times view share the state history of the latest run.
const latest = new WeakMap<Pick<Backend, "call">, StateHistoryFeed>();

function feedOf(backend: Pick<Backend, "call">, run: RunId): StateHistoryFeed {
  const known = latest.get(backend);
  if (known?.run === run) return known;
  const feed = new StateHistoryFeed(run, (after) => backend.call("run_course", { run, after }));
  latest.set(backend, feed);
  return feed;
}

/** The state history of the shown run, extended as the run proceeds. */
export function useStateHistory(): StateHistoryFeedState & { retry: () => void } {
  const backend = useBackend();
  const run = useEditor((state) => state.liveRun?.summary.id ?? "");
  const seq = useEditor((state) => state.liveRun?.seq ?? 0);
  const feed = useMemo(() => feedOf(backend, run), [backend, run]);
  const state = useSyncExternalStore(feed.subscribe, feed.state);
  useEffect(() => feed.readUpTo(seq), [feed, seq]);
  const retry = useMemo(() => () => feed.retry(), [feed]);
  return { ...state, retry };
}
