import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiError } from "./ApiError";
import { useBackend } from "./backendContext";
import type { Plan, RunId, RunProgress, RunView } from "./bindings";
import { isDeepEqual } from "./isDeepEqual";
import { operationKey } from "./queries";

/** Returns the cache key of a run together with the plan that it executes. */
export function runKey(run: RunId) {
  return ["run", { run }] as const;
}

/**
 * Reads a run and stays current; without an id nothing is read. Events come many times a second,
 * and a run can be large: its plan is fetched once per version, and of its nodes only those that
 * changed since the last fetch.
 */
export function useRun(run: RunId | undefined): UseQueryResult<RunView, ApiError> {
  const backend = useBackend();
  const client = useQueryClient();
  const queryKey = runKey(run ?? "");
  return useQuery({
    queryKey,
    enabled: run !== undefined,
    queryFn: async (): Promise<RunView> => {
      const known = client.getQueryData<RunView>(queryKey);
      const after = known?.seq ?? 0;
      const progress = await backend.call("run_progress", { run: run ?? "", after });
      const { plan, version } = progress.summary;
      const content = await client.fetchQuery({
        queryKey: operationKey("plan_version_get", { plan, version }),
        queryFn: () => backend.call("plan_version_get", { plan, version }),
      });
      return known ? updateRun(known, progress, content) : { ...progress, plan: content };
    },
    // `updateRun` already shares structure, without copying the nodes it compares.
    structuralSharing: false,
  });
}

/** Applies progress to a known run. Unchanged parts keep their identity. */
function updateRun(known: RunView, progress: RunProgress, plan: Plan): RunView {
  const moved = new Map(progress.nodes.map((node) => [node.node, node]));
  const nodes = known.nodes.map((before) => {
    const now = moved.get(before.node);
    return now === undefined || isDeepEqual(now, before) ? before : now;
  });
  const summary = shareFields(known.summary, progress.summary);
  return shareFields(known, { ...progress, summary, nodes, plan });
}

/** Returns `now` with equal fields taken from `before`, or `before` itself if all are equal. */
function shareFields<T extends object>(before: T, now: T): T {
  const fields = Object.keys(now) as (keyof T)[];
  const result = { ...now };
  for (const field of fields)
    if (isDeepEqual(before[field], now[field])) result[field] = before[field];
  return fields.every((field) => result[field] === before[field]) ? before : result;
}
