import { keepPreviousData, type UseQueryOptions, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import type { TranscriptExcerpt, TranscriptRow, TranscriptsIndexing } from "@/api/bindings";
import { operationKey } from "@/api/queries";
import { fullTextQuery, type SessionsQuery, toTranscriptsFilter } from "./sessionsQuery";

/** A session in the list, with the places where a search found its words. */
export interface ListedSession {
  row: TranscriptRow;
  excerpts: readonly TranscriptExcerpt[];
  /** How many records hold the words. */
  records: number;
}

interface SessionPage {
  total: number;
  items: ListedSession[];
  indexing: TranscriptsIndexing;
}

/** The list as far as it was read. */
export interface PagedSessions {
  total: number;
  indexing: TranscriptsIndexing | undefined;
  /** Nothing has been answered yet. */
  pending: boolean;
  /** An answer to an earlier query still stands. */
  outdated: boolean;
  error: ApiError | null;
  retry: () => void;
  at: (place: number) => ListedSession | undefined;
}

const pageSize = 100;

/** Reads the sessions that fit the query, but only the pages that hold the places from `first` to `last`. */
export function usePagedSessions(query: SessionsQuery, first: number, last: number): PagedSessions {
  const backend = useBackend();
  const starts = pageStartsFor(first, last);
  const pages = useQueries({
    queries: starts.map((start) => ({
      ...pageQuery(backend, query, start),
      // Only the beginning stays for a moment: it has the same places in the next list.
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

/** The pages around the places in sight, the beginning always among them: it knows how long the list is. */
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
