import { useMemo } from "react";
import type { NodeId, PaceView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { usePage } from "./blueprintContext";
import { useEditor } from "./editor";

/** How long the nodes take together: in the shown run, or as earlier runs of the plan took. */
export function usePace(wanted: boolean): PaceView | undefined {
  const plan = useEditor((state) => state.view.plan.id);
  const run = useEditor((state) => state.runId ?? null);
  return useOperation("plan_pace", { plan, run }, { enabled: wanted }).data;
}

const noTimes: ReadonlyMap<NodeId, number> = new Map();

/** How long nodes took in earlier runs, in milliseconds, while a run goes on: how far they are can be guessed by it. */
export function useUsualTimes(): ReadonlyMap<NodeId, number> {
  const plan = useEditor((state) => state.view.plan.id);
  const wanted = useEditor((state) => state.live?.summary.state.state === "running");
  const { data } = useOperation("plan_pace", { plan, run: null }, { enabled: wanted });
  return useMemo(
    () => (data ? new Map(data.times.map(({ node, busyMs }) => [node, busyMs])) : noTimes),
    [data],
  );
}

/** The chain of nodes that takes longest, for marking it in a view. */
export interface Critical {
  nodes: ReadonlySet<NodeId>;
  /** The ways between them, `parent>child`. */
  ways: ReadonlySet<string>;
}

const nothing: Critical = { nodes: new Set(), ways: new Set() };

/** What is to be marked as critical; nothing unless a person wants that. */
export function useCritical(): Critical {
  const wanted = usePage((state) => state.critical);
  const pace = usePace(wanted);
  return useMemo(() => (wanted && pace ? criticalOf(pace.critical) : nothing), [wanted, pace]);
}

export function criticalOf(chain: readonly NodeId[]): Critical {
  const ways = chain.slice(1).map((child, before) => `${chain[before]}>${child}`);
  return { nodes: new Set(chain), ways: new Set(ways) };
}
