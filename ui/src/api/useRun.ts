import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiError } from "./ApiError";
import { useBackend } from "./backendContext";
import type { Plan, RunId, RunProgress, RunView } from "./bindings";
import { isDeepEqual } from "./isDeepEqual";
import { operationKey } from "./queries";

/** The cache key of a run with the content that it executes. */
export function runKey(run: RunId) {
  return ["run", { run }] as const;
}

/**
 * Reads a run and stays current; nothing is read without an id. News come many times a second, and a run can be large: so
 * the content that it executes is read once for each version, and of its nodes only those that moved since the last look.
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
      return known ? movedOn(known, progress, content) : { ...progress, plan: content };
    },
    // Done already, and without a copy of what is compared.
    structuralSharing: false,
  });
}

/** A known run with what moved in it, with the very objects of before wherever both say the same. */
function movedOn(known: RunView, progress: RunProgress, plan: Plan): RunView {
  const moved = new Map(progress.nodes.map((node) => [node.node, node]));
  const nodes = known.nodes.map((before) => {
    const now = moved.get(before.node);
    return now === undefined || isDeepEqual(now, before) ? before : now;
  });
  const summary = kept(known.summary, progress.summary);
  return kept(known, { ...progress, summary, nodes, plan });
}

/** What is new, with the fields of before wherever both say the same; what was before, if all of them do. */
function kept<T extends object>(before: T, now: T): T {
  const fields = Object.keys(now) as (keyof T)[];
  const result = { ...now };
  for (const field of fields)
    if (isDeepEqual(before[field], now[field])) result[field] = before[field];
  return fields.every((field) => result[field] === before[field]) ? before : result;
}
