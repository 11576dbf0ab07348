import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { Team } from "@/api/bindings";
import { operationKey, useMutationOperation } from "@/api/queries";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { teamReference } from "@/components/teamRules";
import { showToast } from "@/components/toasts";

/** Confirms the deletion of a team. */
export function DeleteTeamDialog({
  team,
  onClose,
}: {
  team: Team;
  onClose: () => void;
}): ReactElement {
  const client = useQueryClient();
  const remove = useMutationOperation("team_delete");
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete team “${team.name}”?`}
      confirmLabel="Delete team"
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { name: team.name },
          {
            onSuccess: (teams) => client.setQueryData(operationKey("teams_list", {}), teams),
            onError: ({ message }) =>
              showToast({ kind: "error", title: "Couldn't delete the team", detail: message }),
            onSettled: onClose,
          },
        )
      }
    >
      Its agents are kept. Nodes that use{" "}
      <code className="text-12">{teamReference(team.name)}</code> can't run until you choose another
      team or agent for them.
    </ConfirmDialog>
  );
}
