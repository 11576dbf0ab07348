import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { Backend } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import type { RunId } from "@/api/bindings";
import { CourseFeed, type CourseState } from "@/run/CourseFeed";
import { useEditor } from "./editor";

// The line of time and the view of times read the same course: the latest is kept for both.
const latest = new WeakMap<Pick<Backend, "call">, CourseFeed>();

function feedOf(backend: Pick<Backend, "call">, run: RunId): CourseFeed {
  const known = latest.get(backend);
  if (known?.run === run) return known;
  const feed = new CourseFeed(run, (after) => backend.call("run_course", { run, after }));
  latest.set(backend, feed);
  return feed;
}

/** The course of the run that the page is about, read on as the run does. */
export function useCourse(): CourseState & { retry: () => void } {
  const backend = useBackend();
  const run = useEditor((state) => state.live?.summary.id ?? "");
  const seq = useEditor((state) => state.live?.seq ?? 0);
  const feed = useMemo(() => feedOf(backend, run), [backend, run]);
  const state = useSyncExternalStore(feed.subscribe, feed.state);
  useEffect(() => feed.reach(seq), [feed, seq]);
  const retry = useMemo(() => () => feed.retry(), [feed]);
  return { ...state, retry };
}
