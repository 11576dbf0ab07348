import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useBackend } from "@/api/backendContext";
import type { TokenView } from "@/api/bindings";
import { operationKey, useMutationOperation } from "@/api/queries";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { showToast } from "@/components/toasts";
import { browserToken } from "./tokenText";

interface RevokeTokenDialogProps {
  token: TokenView;
  onClose: () => void;
}

/** Confirms the revocation of a token, which takes effect immediately. */
export function RevokeTokenDialog({
  token: { name },
  onClose,
}: RevokeTokenDialogProps): ReactElement {
  const client = useQueryClient();
  const { desktop } = useBackend();
  const revoke = useMutationOperation("token_revoke");
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Revoke token “${name}”?`}
      confirmLabel="Revoke token"
      busy={revoke.isPending}
      onConfirm={() =>
        revoke.mutate(
          { name },
          {
            onSuccess: (tokens) => client.setQueryData(operationKey("tokens_list", {}), tokens),
            onError: ({ message }) =>
              showToast({ kind: "error", title: "Couldn't revoke the token", detail: message }),
            onSettled: onClose,
          },
        )
      }
    >
      {name === browserToken ? (
        <p>
          Every open page of <code>baton serve</code> loses access
          {desktop === undefined && ", including this one"}. The next start of{" "}
          <code>baton serve</code> prints a new address. This can't be undone.
        </p>
      ) : (
        <p>Programs that use it lose access immediately. This can't be undone.</p>
      )}
    </ConfirmDialog>
  );
}
