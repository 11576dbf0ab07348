import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { McpServer } from "@/api/bindings";
import { operationKey, useMutationOperation } from "@/api/queries";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { showToast } from "@/components/toasts";

/** Confirms the deletion of a tool server. */
export function DeleteServerDialog({
  server: { name },
  onClose,
}: {
  server: McpServer;
  onClose: () => void;
}): ReactElement {
  const client = useQueryClient();
  const remove = useMutationOperation("tool_server_delete");
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete tool server “${name}”?`}
      confirmLabel="Delete server"
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { name },
          {
            onSuccess: (servers) =>
              client.setQueryData(operationKey("tool_servers_list", {}), servers),
            onError: ({ message }) =>
              showToast({ kind: "error", title: "Couldn't delete the server", detail: message }),
            onSettled: onClose,
          },
        )
      }
    >
      This removes its connection, variables and headers from Baton. The server itself stays. Nodes
      that call <code className="text-12">{name}/…</code> fail until you add a server with this
      name.
    </ConfirmDialog>
  );
}
