import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { AgentView } from "@/api/bindings";
import { operationKey, useMutationOperation } from "@/api/queries";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { showToast } from "@/components/toasts";

/** Confirms the deletion of a custom agent. */
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
              showToast({ kind: "error", title: "Couldn't delete the agent", detail: message }),
            onSettled: onClose,
          },
        )
      }
    >
      This removes its command line from Baton. The program stays on this machine. Nodes that use{" "}
      <code className="text-12">{agent.id}</code> can't run until you choose another agent for them.
    </ConfirmDialog>
  );
}
