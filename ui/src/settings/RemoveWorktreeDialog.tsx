import type { ReactElement } from "react";
import type { WorktreeView } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { quoteTitle } from "@/components/quotedTitle";
import { showToast } from "@/components/toasts";
import { worktreeStateHints } from "./worktreeLabels";

interface RemoveWorktreeDialogProps {
  worktree: WorktreeView;
  onClose: () => void;
}

/** Confirms the removal of a worktree, and says what happens to the work in it. */
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
      title={`Remove the worktree of ${quoteTitle(title)}?`}
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
              showToast({ kind: "error", title: "Couldn't remove the worktree", detail: message }),
            onSettled: onClose,
          },
        )
      }
    >
      <p>{worktreeStateHints[standing]}</p>
      <p className="mt-1">
        {isBroken
          ? "Its files can't be saved first and will be lost."
          : "Its files are first committed under refs/baton/removed. Files that git ignores will be lost."}
      </p>
      <p className="mt-1 select-text break-all font-mono text-12">{place}</p>
    </ConfirmDialog>
  );
}
