import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { EntryFilter } from "./entryFilters";
import { FilterScan, type FilterState } from "./FilterScan";
import type { SessionFeed } from "./SessionFeed";

const nothing: FilterState = { seqs: [], scannedFrom: 0, scannedTo: 0, working: false };

/**
 * Returns the entries that match a filter, or `undefined` when nothing is filtered. Follows a
 * growing session.
 */
export function useFilterScan(
  feed: SessionFeed,
  total: number,
  filter: EntryFilter,
): { found: FilterState; scanEarlier: () => void } | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new entries are scanned below, without starting over
  const scan = useMemo(
    () => (filter === "all" ? undefined : new FilterScan(feed.read, filter, total)),
    [feed, filter],
  );

  useEffect(() => {
    void scan?.back();
    return () => scan?.stop();
  }, [scan]);

  const found = useSyncExternalStore(
    scan?.subscribe ?? (() => () => {}),
    scan?.state ?? (() => nothing),
  );

  useEffect(() => {
    if (!found.working) void scan?.forward(total);
  }, [scan, total, found.working]);

  return scan && { found, scanEarlier: () => void scan.back() };
}
