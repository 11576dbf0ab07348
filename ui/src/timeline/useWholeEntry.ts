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
  // Entries of megabytes aren't kept after use.
  const query = { ...fullEntryQuery(backend, source, entry.seq), gcTime: 0 };
  const isCut = leftOutOf(entry) > 0;
  const { data, isFetching, error } = useQuery({ ...query, enabled: wanted && isCut });
  const whole = wanted && isCut ? data : undefined;
  return {
    entry: whole ?? entry,
    isFetching,
    error,
    load: async () => whole ?? (isCut ? queries.fetchQuery(query) : entry),
  };
}
