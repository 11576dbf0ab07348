import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { RunsPage, RunsPageRow } from "@/api/bindings";
import { operationKey } from "@/api/queries";
import { forgetDeleted, useHiddenRuns } from "./runDeletion";
import { type RunsQuery, toRunsPageQuery } from "./runsQuery";

/**
 * Loads the matching runs, one page after another, without those that are being deleted and the runs
 * below them. While another query loads, the runs of the previous one stay, and `isPlaceholderData`
 * is true.
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
  const { ids: hidden, deleted } = useHiddenRuns();
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched pages may no longer have the runs
  useEffect(() => {
    if (deleted.size > 0) forgetDeleted(listedRuns(client));
  }, [client, deleted, pages.data]);
  const found = useMemo(() => pages.data?.pages.flatMap((page) => page.rows) ?? [], [pages.data]);
  const rows = useMemo(() => withoutHidden(found, hidden), [found, hidden]);
  const total = (pages.data?.pages[0]?.total ?? 0) - (found.length - rows.length);
  return { ...pages, rows, total };
}

/** The runs that any list has, whatever its filter, and the runs above them. */
function listedRuns(client: QueryClient): ReadonlySet<string> {
  const lists = client.getQueriesData<InfiniteData<RunsPage>>({
    queryKey: operationKey("runs_page"),
  });
  const rows = lists.flatMap(([, list]) => list?.pages.flatMap((page) => page.rows) ?? []);
  return new Set(rows.flatMap(({ id, parent }) => (parent ? [id, parent.run] : [id])));
}

/** Leaves out hidden runs and the runs below them, which are deleted with them. */
function withoutHidden(
  found: readonly RunsPageRow[],
  hidden: ReadonlySet<string>,
): readonly RunsPageRow[] {
  if (hidden.size === 0) return found;
  const parents = new Map(found.map(({ id, parent }) => [id, parent?.run]));
  const isHidden = (id: string | undefined): boolean =>
    id !== undefined && (hidden.has(id) || isHidden(parents.get(id)));
  return found.filter(({ id }) => !isHidden(id));
}
