import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { EntryFilter } from "./entryFilters";
import { FilterScan, type FilterState } from "./FilterScan";
import type { SessionFeed } from "./SessionFeed";

const nothing: FilterState = { seqs: [], lookedFrom: 0, lookedTo: 0, working: false };

/** What a filter finds in a timeline; `undefined` when everything is shown. Follows a session that goes on. */
export function useFilterScan(
  feed: SessionFeed,
  total: number,
  filter: EntryFilter,
): { found: FilterState; lookFurther: () => void } | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a growing session is followed below, not searched anew
  const looking = useMemo(
    () => (filter === "all" ? undefined : new FilterScan(feed.read, filter, total)),
    [feed, filter],
  );

  useEffect(() => {
    void looking?.back();
    return () => looking?.stop();
  }, [looking]);

  const found = useSyncExternalStore(
    looking?.subscribe ?? (() => () => {}),
    looking?.state ?? (() => nothing),
  );

  useEffect(() => {
    if (!found.working) void looking?.forward(total);
  }, [looking, total, found.working]);

  return looking && { found, lookFurther: () => void looking.back() };
}
