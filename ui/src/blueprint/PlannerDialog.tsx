import type { ReactElement } from "react";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { AskPlannerDialog } from "@/planner/AskPlannerDialog";

/** Asks for instructions before a planner is started from this page. */
export function PlannerDialog(): ReactElement | null {
  const { page } = useBlueprint();
  const order = usePage((state) => state.plannerRequest);
  if (!order) return null;
  return (
    <AskPlannerDialog order={order} onClose={() => page.setState({ plannerRequest: undefined })} />
  );
}
