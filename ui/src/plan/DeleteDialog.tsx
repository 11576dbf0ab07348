import { type ReactElement, useState } from "react";
import type { PlanSummary } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { formatCount } from "@/components/formatCount";
import { titleWords } from "./nodeWords";

const mostCounted = 10_000;

/** Asks before a blueprint goes, and says what goes with it. */
export function DeleteDialog({
  plan,
  onClose,
  onDelete,
}: {
  plan: Pick<PlanSummary, "id" | "title" | "nodeCount">;
  onClose: () => void;
  onDelete: () => Promise<void>;
}): ReactElement {
  const [busy, setBusy] = useState(false);
  const runs = useOperation("runs_list", { plan: plan.id, limit: mostCounted });

  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete “${shortened(titleWords(plan.title))}”?`}
      confirmLabel="Delete blueprint"
      busy={busy}
      onConfirm={() => {
        setBusy(true);
        void onDelete().finally(() => setBusy(false));
      }}
    >
      {goingWords(plan.nodeCount, runs.data?.length)} This cannot be undone. Files that the runs
      changed in the directory stay as they are.
    </ConfirmDialog>
  );
}

/** What a deletion takes away. The number of runs may not be known yet. */
function goingWords(nodes: number, runs: number | undefined): string {
  const graph = `The blueprint with its ${formatCount(nodes, "node")}`;
  if (runs === 0) return `${graph} goes. It has not run.`;
  const history = runs === undefined ? "all its runs" : formatCount(runs, "run");
  return `${graph} goes, and with it ${history} with all sessions, timelines and handoffs.`;
}

function shortened(title: string): string {
  return title.length > 120 ? `${title.slice(0, 119).trimEnd()}…` : title;
}
