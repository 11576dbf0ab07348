import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useBackend } from "@/api/backendContext";
import type { PlanSummary, RunView } from "@/api/bindings";
import { operationKey } from "@/api/queries";
import type { Asking } from "./listing";
import { isRunning } from "./standing";

/** More runs than this at once are not looked into. */
const mostRuns = 20;

/** The running runs in which a session asks something of a person. */
export function useAsking(plans: readonly PlanSummary[]): Asking {
  const backend = useBackend();
  const runs = plans
    .flatMap(({ lastRun }) => (lastRun && isRunning(lastRun) ? [lastRun] : []))
    .filter(({ progress }) => progress.includes("waiting"))
    .slice(0, mostRuns);
  const asking = useQueries({
    queries: runs.map(({ id: run }) => ({
      queryKey: operationKey("run_get", { run }),
      queryFn: () => backend.call("run_get", { run }),
      select: (view: RunView) => (asksPerson(view) ? run : undefined),
    })),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []).join(" "),
  });
  return useMemo(() => new Set(asking.split(" ").filter(Boolean)), [asking]);
}

function asksPerson({ nodes }: RunView): boolean {
  return nodes.some(({ state }) => state.state === "waiting" && state.for.kind === "person");
}
