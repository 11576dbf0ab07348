import { type ReactElement, useState } from "react";
import type { PlanSummary } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { formatCount } from "@/components/formatCount";
import { quoteTitle } from "@/components/quotedTitle";
import { displayTitle } from "./nodeText";

const maxCountedRuns = 10_000;

/** Confirms the deletion of a blueprint and lists what is deleted with it. */
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
  const runs = useOperation("runs_list", { plan: plan.id, limit: maxCountedRuns });

  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete ${quoteTitle(shortened(displayTitle(plan.title)))}?`}
      confirmLabel="Delete blueprint"
      busy={busy}
      onConfirm={() => {
        setBusy(true);
        void onDelete().finally(() => setBusy(false));
      }}
    >
      {deletionSummary(plan.nodeCount, runs.data?.length)} You can restore it for 30 days under
      Recently deleted, on the Blueprints page. Files that runs changed in the directory are kept.
    </ConfirmDialog>
  );
}

/** Says what will be deleted. `runs` is undefined while the runs are loading. */
function deletionSummary(nodes: number, runs: number | undefined): string {
  const graph = `The blueprint with its ${formatCount(nodes, "node")}`;
  if (runs === 0) return `${graph} will be deleted. It hasn't run.`;
  const history = runs === undefined ? "all its runs" : formatCount(runs, "run");
  return `${graph} and ${history} will be deleted, including all sessions, timelines and handoffs.`;
}

function shortened(title: string): string {
  return title.length > 120 ? `${title.slice(0, 119).trimEnd()}…` : title;
}
