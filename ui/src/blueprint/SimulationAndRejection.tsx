import type { ReactElement } from "react";
import { RejectPlanDialog } from "@/pending/RejectPlanDialog";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { PlanSimulation } from "@/simulation/PlanSimulation";
import { SimulationDialog } from "@/simulation/SimulationDialog";

/** The dialogs that simulate a run of the blueprint, and that reject it. */
export function SimulationAndRejection(): ReactElement {
  const { page } = useBlueprint();
  const simulating = usePage((state) => state.simulating);
  const rejecting = usePage((state) => state.rejecting);
  const plan = useEditor((state) => state.plan.id);
  const review = useEditor((state) => state.view.review);
  const revision = useEditor((state) => state.view.revision);
  return (
    <>
      {simulating && (
        <SimulationDialog onClose={() => page.setState({ simulating: false })}>
          <PlanSimulation plan={plan} />
        </SimulationDialog>
      )}
      {rejecting && (
        <RejectPlanDialog
          {...{ plan, revision }}
          needsReview={review === "needs_review"}
          onClose={() => page.setState({ rejecting: false })}
        />
      )}
    </>
  );
}
