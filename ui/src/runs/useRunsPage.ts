import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { RunsPage } from "@/api/bindings";
import { operationKey } from "@/api/queries";
import { useHiddenRuns } from "./runDeletion";
import { type RunsQuery, toRunsPageQuery } from "./runsQuery";

/**
 * Loads the matching runs, one page after another, without those that are being deleted. While another query loads, the runs of the
 * previous one stay, and `isPlaceholderData` is true.
 */
export function useRunsPage(query: RunsQuery) {
  const backend = useBackend();
  // Fixed per query: a period that moves with the clock would fetch the list again and again.
  const input = useMemo(() => toRunsPageQuery(query, Date.now()), [query]);
  const pages = useInfiniteQuery<RunsPage, ApiError>({
    queryKey: operationKey("runs_page", { ...input, after: null }),
    queryFn: ({ pageParam }) =>
      backend.call("runs_page", { ...input, after: pageParam as string | null }),
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const hidden = useHiddenRuns(({ ids }) => ids);
  const found = useMemo(() => pages.data?.pages.flatMap((page) => page.rows) ?? [], [pages.data]);
  const rows = useMemo(() => found.filter(({ id }) => !hidden.has(id)), [found, hidden]);
  const total = (pages.data?.pages[0]?.total ?? 0) - (found.length - rows.length);
  return { ...pages, rows, total };
}
