import { keepPreviousData, type UseQueryOptions, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import type { TranscriptExcerpt, TranscriptRow, TranscriptsIndexing } from "@/api/bindings";
import { operationKey } from "@/api/queries";
import { fullTextQuery, type SessionsQuery, toTranscriptsFilter } from "./sessionsQuery";

/** A session in the list, with the excerpts that a search found. */
export interface ListedSession {
  row: TranscriptRow;
  excerpts: readonly TranscriptExcerpt[];
  /** The number of matching records. */
  records: number;
}

interface SessionPage {
  total: number;
  items: ListedSession[];
  indexing: TranscriptsIndexing;
}

/** The list, of which only some pages are loaded. */
export interface PagedSessions {
  total: number;
  indexing: TranscriptsIndexing | undefined;
  /** The first page is not loaded yet. */
  pending: boolean;
  /** Still shows the results of the previous query. */
  outdated: boolean;
  error: ApiError | null;
  retry: () => void;
  at: (place: number) => ListedSession | undefined;
}

const pageSize = 100;

/**
 * Loads the matching sessions, but only the first page and those that contain the rows `first` to
 * `last`.
 */
export function usePagedSessions(query: SessionsQuery, first: number, last: number): PagedSessions {
  const backend = useBackend();
  const starts = pageStartsFor(first, last);
  const pages = useQueries({
    queries: starts.map((start) => ({
      ...pageQuery(backend, query, start),
      // Only the first page is kept meanwhile: it has the same offset in the next list.
      ...(start === 0 && { placeholderData: keepPreviousData }),
    })),
  });
  const beginning = pages[0];
  const failed = pages.find(({ error }) => error !== null);

  return useMemo(
    () => ({
      total: beginning?.data?.total ?? 0,
      indexing: beginning?.data?.indexing,
      pending: beginning?.isPending ?? true,
      outdated: beginning?.isPlaceholderData ?? false,
      error: failed?.error ?? null,
      retry: () => void failed?.refetch(),
      at: (place) => {
        const page = pages[starts.indexOf(place - (place % pageSize))];
        return page?.data?.items[place % pageSize];
      },
    }),
    [pages, starts, beginning, failed],
  );
}

/** Returns the offsets of the visible pages, and always 0, because the first page has the total. */
export function pageStartsFor(first: number, last: number): number[] {
  const starts = [0];
  const from = Math.max(0, first - (first % pageSize));
  for (let start = from; start <= last; start += pageSize) if (start > 0) starts.push(start);
  return starts;
}

function pageQuery(
  backend: Backend,
  query: SessionsQuery,
  offset: number,
): UseQueryOptions<SessionPage, ApiError> {
  const words = fullTextQuery(query);
  const filter = toTranscriptsFilter(query);
  if (words === undefined) {
    const input = { ...filter, offset, limit: pageSize };
    return {
      queryKey: operationKey("transcripts_list", input),
      queryFn: async () => {
        const { total, rows, indexing } = await backend.call("transcripts_list", input);
        return { total, indexing, items: rows.map((row) => ({ row, excerpts: [], records: 0 })) };
      },
    };
  }
  const input = { text: words, filter, offset, limit: pageSize };
  return {
    queryKey: operationKey("transcripts_search", input),
    queryFn: async () => {
      const { total, hits, indexing } = await backend.call("transcripts_search", input);
      return { total, indexing, items: hits };
    },
  };
}
