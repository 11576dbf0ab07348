import type { ReactElement } from "react";
import type { WorktreeView } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { showToast } from "@/components/toasts";
import { worktreeStateHints } from "./worktreeLabels";

interface RemoveWorktreeDialogProps {
  worktree: WorktreeView;
  onClose: () => void;
}

/** Asks before a worktree is removed, and says what becomes of the work in it. */
export function RemoveWorktreeDialog({
  worktree,
  onClose,
}: RemoveWorktreeDialogProps): ReactElement {
  const { title, place, standing } = worktree;
  const remove = useMutationOperation("worktree_remove");
  const isBroken = standing === "broken";
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Remove the worktree of “${title}”?`}
      confirmLabel="Remove worktree"
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { place, evenBroken: isBroken },
          {
            onSuccess: ({ kept: [commit] }) =>
              showToast({
                kind: "info",
                title: "Worktree removed",
                ...(commit && { detail: `Its files are in commit ${commit.slice(0, 12)}.` }),
              }),
            onError: ({ message }) =>
              showToast({ kind: "error", title: "Couldn’t remove the worktree", detail: message }),
            onSettled: onClose,
          },
        )
      }
    >
      <p>{worktreeStateHints[standing]}</p>
      <p className="mt-1">
        {isBroken
          ? "Its files cannot be kept anywhere first: what is in it is lost."
          : "Its files are committed under refs/baton/removed first. Files that git ignores are lost."}
      </p>
      <p className="mt-1 select-text break-all font-mono text-12">{place}</p>
    </ConfirmDialog>
  );
}
