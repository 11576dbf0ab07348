import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { AgentView } from "@/api/bindings";
import { operationKey, useMutationOperation } from "@/api/queries";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { showToast } from "@/components/toasts";

/** Asks before an agent of the person's own is forgotten. */
export function DeleteAgentDialog({
  agent,
  onClose,
}: {
  agent: AgentView;
  onClose: () => void;
}): ReactElement {
  const client = useQueryClient();
  const remove = useMutationOperation("agent_delete");
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete agent “${agent.title}”?`}
      confirmLabel="Delete agent"
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { id: agent.id },
          {
            onSuccess: (agents) => client.setQueryData(operationKey("agents_list", {}), agents),
            onError: ({ message }) =>
              showToast({ kind: "error", title: "Couldn’t delete the agent", detail: message }),
            onSettled: onClose,
          },
        )
      }
    >
      Its command line goes; the program stays on this machine. Nodes that name{" "}
      <code className="text-12">{agent.id}</code> cannot run until they name another agent.
    </ConfirmDialog>
  );
}
