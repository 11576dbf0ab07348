import { useEffect, useMemo, useRef, useState } from "react";
import type { EndedRunView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import {
  type AppNotification,
  notificationForItem,
  notificationForRequest,
  notificationForRunEnd,
} from "@/pending/notifications";

/** The number of recently ended runs to check. More than this rarely end between two updates. */
const maxRunEnds = 20;

/**
 * Calls `onNews` with notifications for items, requests and ended runs that are new since the page
 * was opened.
 */
export function useNotifications(onNews: (news: AppNotification[]) => void): void {
  const items = useOperation("inbox_list", {}).data;
  const requests = useOperation("requests_list", {}).data;
  const ends = useOperation("runs_ended", { limit: maxRunEnds }).data;
  useNewEntries(items, notificationForItem, onNews);
  useNewEntries(requests, notificationForRequest, onNews);
  useNewEntries(useLatest(ends), notificationForRunEnd, onNews);
}

/**
 * Drops runs that ended before the first load. When a blueprint is deleted, such older runs move up
 * in the list.
 */
function useLatest(ends: EndedRunView[] | undefined): EndedRunView[] | undefined {
  const [newest, setNewest] = useState<number>();
  if (ends !== undefined && newest === undefined) setNewest(ends[0]?.endedAt ?? 0);
  return useMemo(
    () => (newest === undefined ? undefined : ends?.filter(({ endedAt }) => endedAt >= newest)),
    [ends, newest],
  );
}

/**
 * Calls `onNews` for things that were not in any earlier list. Things in the first list are not
 * new.
 */
function useNewEntries<Thing>(
  things: readonly Thing[] | undefined,
  newsOf: (thing: Thing) => AppNotification,
  onNews: (news: AppNotification[]) => void,
): void {
  const known = useRef<Set<string>>(undefined);
  const latestOnNews = useRef(onNews);
  useEffect(() => {
    latestOnNews.current = onNews;
  });

  useEffect(() => {
    if (things === undefined) return;
    const all = things.map(newsOf);
    const before = known.current;
    known.current = new Set([...(before ?? []), ...all.map(({ key }) => key)]);
    if (before === undefined) return;
    const fresh = all.filter(({ key }) => !before.has(key));
    if (fresh.length > 0) latestOnNews.current(fresh);
  }, [things, newsOf]);
}
