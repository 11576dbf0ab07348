import { useMemo } from "react";
import type { NodeId, PlanTimingView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { usePage } from "./blueprintContext";
import { useEditor } from "./editor";

/** How long nodes take: in the shown run, or in earlier runs of the plan. */
export function usePlanTiming(wanted: boolean): PlanTimingView | undefined {
  const plan = useEditor((state) => state.view.plan.id);
  const run = useEditor((state) => state.runId ?? null);
  return useOperation("plan_pace", { plan, run }, { enabled: wanted }).data;
}

const noDurations: ReadonlyMap<NodeId, number> = new Map();

/**
 * The durations of nodes in earlier runs in milliseconds, for estimating progress. Only loaded
 * while a run is active.
 */
export function useTypicalDurations(): ReadonlyMap<NodeId, number> {
  const plan = useEditor((state) => state.view.plan.id);
  const wanted = useEditor((state) => state.liveRun?.summary.state.state === "running");
  const { data } = useOperation("plan_pace", { plan, run: null }, { enabled: wanted });
  return useMemo(
    () => (data ? new Map(data.times.map(({ node, busyMs }) => [node, busyMs])) : noDurations),
    [data],
  );
}

/** The chain of nodes that takes longest, for highlighting. */
export interface CriticalPath {
  nodes: ReadonlySet<NodeId>;
  /** The edges between them, as `parent>child`. */
  edges: ReadonlySet<string>;
}

const noCriticalPath: CriticalPath = { nodes: new Set(), edges: new Set() };

/** The critical path; empty unless the user has turned on highlighting. */
export function useCriticalPath(): CriticalPath {
  const wanted = usePage((state) => state.critical);
  const pace = usePlanTiming(wanted);
  return useMemo(
    () => (wanted && pace ? criticalPathFrom(pace.critical) : noCriticalPath),
    [wanted, pace],
  );
}

export function criticalPathFrom(chain: readonly NodeId[]): CriticalPath {
  const edges = chain.slice(1).map((child, before) => `${chain[before]}>${child}`);
  return { nodes: new Set(chain), edges: new Set(edges) };
}
