import { useEffect, useMemo, useRef, useState } from "react";
import type { EndedRunView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import {
  type AppNotification,
  notificationForItem,
  notificationForRequest,
  notificationForRunEnd,
} from "@/pending/notifications";

/** How many ends of runs are looked at: more cannot come between two readings, or are not worth a word. */
const maxRunEnds = 20;

/** Calls `onNews` with what has come up since the page was opened. */
export function useNotifications(onNews: (news: AppNotification[]) => void): void {
  const items = useOperation("inbox_list", {}).data;
  const requests = useOperation("requests_list", {}).data;
  const ends = useOperation("runs_ended", { limit: maxRunEnds }).data;
  useNewEntries(items, notificationForItem, onNews);
  useNewEntries(requests, notificationForRequest, onNews);
  useNewEntries(useLatest(ends), notificationForRunEnd, onNews);
}

/** Ends that are no older than what was known first: when a blueprint is deleted, older ones move up into the list. */
function useLatest(ends: EndedRunView[] | undefined): EndedRunView[] | undefined {
  const [newest, setNewest] = useState<number>();
  if (ends !== undefined && newest === undefined) setNewest(ends[0]?.endedAt ?? 0);
  return useMemo(
    () => (newest === undefined ? undefined : ends?.filter(({ endedAt }) => endedAt >= newest)),
    [ends, newest],
  );
}

/** What stands in the first list is known; what is in a later one and was in none before has just come. */
function useNewEntries<Thing>(
  things: readonly Thing[] | undefined,
  newsOf: (thing: Thing) => AppNotification,
  onNews: (news: AppNotification[]) => void,
): void {
  const known = useRef<Set<string>>(undefined);
  const tell = useRef(onNews);
  useEffect(() => {
    tell.current = onNews;
  });

  useEffect(() => {
    if (things === undefined) return;
    const all = things.map(newsOf);
    const before = known.current;
    known.current = new Set([...(before ?? []), ...all.map(({ key }) => key)]);
    if (before === undefined) return;
    const fresh = all.filter(({ key }) => !before.has(key));
    if (fresh.length > 0) tell.current(fresh);
  }, [things, newsOf]);
}
