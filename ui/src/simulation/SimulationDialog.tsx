import type { ReactElement, ReactNode } from "react";
import { Dialog } from "@/components/Dialog";

/** A dialog around the simulation of a run. */
export function SimulationDialog({
  children,
  onClose,
}: {
  children: ReactNode;
  onClose: () => void;
}): ReactElement {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Simulation"
      description="What a run would do. Nothing runs. Time and cost come from earlier runs."
      width={640}
    >
      {children}
    </Dialog>
  );
}
