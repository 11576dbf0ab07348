import type { ReactElement } from "react";
import type { RunsPageRow } from "@/api/bindings";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { formatCount } from "@/components/formatCount";
import { isDeletable } from "./runText";

interface QuestionProps {
  open: boolean;
  onClose: () => void;
  busy: boolean;
  onConfirm: () => void;
}

/** Confirms deleting runs, and says how many can't be deleted now. */
export function DeleteQuestion({
  selected,
  open,
  onClose,
  onConfirm,
}: Omit<QuestionProps, "busy"> & { selected: readonly RunsPageRow[] }): ReactElement {
  const count = formatCount(selected.length, "run");
  const kept = selected.filter((row) => !isDeletable(row)).length;
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(stays) => !stays && onClose()}
      title={`Delete ${count}?`}
      confirmLabel={`Delete ${count}`}
      busy={false}
      onConfirm={onConfirm}
    >
      Their history, handoffs and session output are deleted. You can undo this for 10 seconds.
      Blueprints are kept.
      {kept > 0 && (
        <span className="mt-1 block">
          {kept === selected.length
            ? "None of them can be deleted now."
            : `${formatCount(kept, "run")} can't be deleted now and will be kept.`}
        </span>
      )}
    </ConfirmDialog>
  );
}

/** Confirms stopping runs. */
export function StopQuestion({
  count,
  open,
  onClose,
  busy,
  onConfirm,
}: QuestionProps & { count: number }): ReactElement {
  const runs = formatCount(count, "run");
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(stays) => !stays && onClose()}
      title={`Stop ${runs}?`}
      confirmLabel={`Stop ${runs}`}
      busy={busy}
      onConfirm={onConfirm}
    >
      Their sessions and all processes will be stopped. Finished nodes and their handoffs are kept.
    </ConfirmDialog>
  );
}
