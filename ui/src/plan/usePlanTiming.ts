import { useMemo } from "react";
import type { NodeId, PlanTimingView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { usePage } from "./blueprintContext";
import { useEditor } from "./editor";

/** How long the nodes take together: in the shown run, or as earlier runs of the plan took. */
export function usePlanTiming(wanted: boolean): PlanTimingView | undefined {
  const plan = useEditor((state) => state.view.plan.id);
  const run = useEditor((state) => state.runId ?? null);
  return useOperation("plan_pace", { plan, run }, { enabled: wanted }).data;
}

const noDurations: ReadonlyMap<NodeId, number> = new Map();

/** How long nodes took in earlier runs, in milliseconds, while a run goes on: how far they are can be guessed by it. */
export function useTypicalDurations(): ReadonlyMap<NodeId, number> {
  const plan = useEditor((state) => state.view.plan.id);
  const wanted = useEditor((state) => state.liveRun?.summary.state.state === "running");
  const { data } = useOperation("plan_pace", { plan, run: null }, { enabled: wanted });
  return useMemo(
    () => (data ? new Map(data.times.map(({ node, busyMs }) => [node, busyMs])) : noDurations),
    [data],
  );
}

/** The chain of nodes that takes longest, for marking it in a view. */
export interface CriticalPath {
  nodes: ReadonlySet<NodeId>;
  /** The ways between them, `parent>child`. */
  edges: ReadonlySet<string>;
}

const noCriticalPath: CriticalPath = { nodes: new Set(), edges: new Set() };

/** What is to be marked as critical; nothing unless a person wants that. */
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
