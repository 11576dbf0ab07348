import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useBackend } from "@/api/backendContext";
import type { TimelineEntry } from "@/api/bindings";
import { useTimelineContext } from "./timelineContext";
import { fullEntryQuery } from "./timelineSource";

/** An entry whose texts a page may have truncated. */
export interface WholeEntry {
  /** The full entry once it was loaded, until then what the page has. */
  entry: TimelineEntry;
  isFetching: boolean;
  error: Error | null;
  /** Loads the full entry if something is missing. */
  load: () => Promise<TimelineEntry>;
}

/** How many bytes a page left out of an entry's texts. */
export function leftOutBytesOf(entry: TimelineEntry): number {
  return entry.leftOutBytes;
}

/** Loads the full entry if it is wanted and `leftOutOf` says that bytes are missing. */
export function useWholeEntry(
  entry: TimelineEntry,
  leftOutOf: (entry: TimelineEntry) => number,
  wanted: boolean,
): WholeEntry {
  const backend = useBackend();
  const queries = useQueryClient();
  const { source } = useTimelineContext();
  const { queryKey, queryFn } = fullEntryQuery(backend, source, entry.seq);
  const leftOut = leftOutOf(entry);
  const isCut = leftOut > 0;
  // An entry that grew is another one. Entries of megabytes aren't kept after use.
  const query = { queryKey: [...queryKey, leftOut], queryFn, gcTime: 0 };
  const { data, isFetching, isPlaceholderData, error } = useQuery({
    ...query,
    enabled: wanted && isCut,
    // What was shown stays until the grown entry is there.
    placeholderData: (before) => (before?.seq === entry.seq ? before : undefined),
  });
  const whole = wanted && isCut ? data : undefined;
  return {
    entry: whole ?? entry,
    isFetching,
    error,
    load: async () => {
      if (whole && !isPlaceholderData) return whole;
      return isCut ? queries.fetchQuery(query) : entry;
    },
  };
}
