import type { ReactElement } from "react";
import type { PlanId, ProposalId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { SimulationView } from "./SimulationView";

/** What a run of a blueprint would do. */
export function PlanSimulation({ plan }: { plan: PlanId }): ReactElement {
  return <LoadedSimulation query={useOperation("plan_simulate", { plan })} />;
}

/** What a run of a proposal's draft would do. */
export function ProposalSimulation({ proposal }: { proposal: ProposalId }): ReactElement {
  return <LoadedSimulation query={useOperation("proposal_simulate", { proposal })} />;
}

function LoadedSimulation({
  query,
}: {
  query: ReturnType<typeof useOperation<"plan_simulate" | "proposal_simulate">>;
}): ReactElement {
  if (query.data) return <SimulationView simulation={query.data} />;
  if (query.error) {
    return (
      <ErrorState
        title="Couldn't simulate the run"
        detail={query.error.code}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {query.error.message}
      </ErrorState>
    );
  }
  return (
    <div role="status" aria-label="Simulating">
      <Skeleton />
    </div>
  );
}
