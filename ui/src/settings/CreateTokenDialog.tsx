import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useRef, useState } from "react";
import type { TokenCreate, TokenCreated, TokenView } from "@/api/bindings";
import { operationKey, useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { Dialog } from "@/components/Dialog";
import { Select } from "@/components/Select";
import { TextField } from "@/components/TextField";
import { SaveDialog } from "./SaveDialog";
import { tokenNameError, tokenScopes } from "./tokenText";

interface CreateTokenDialogProps {
  taken: readonly TokenView[];
  onClose: () => void;
}

/** Creates a token and shows it. It can't be shown again later. */
export function CreateTokenDialog({ taken, onClose }: CreateTokenDialogProps): ReactElement {
  const client = useQueryClient();
  const create = useMutationOperation("token_create");
  const [name, setName] = useState("");
  const [surface, setSurface] = useState<TokenCreate["surface"]>("read");
  const [created, setCreated] = useState<TokenCreated>();
  const fault = tokenNameError(name, taken);

  if (created) return <CreatedToken created={created} onClose={onClose} />;
  const submit = () =>
    create.mutate(
      { name, surface },
      {
        onSuccess: (answer) => {
          // Don't keep the token in the page's memory longer than the dialog.
          create.reset();
          setCreated(answer);
          void client.invalidateQueries({ queryKey: operationKey("tokens_list") });
        },
      },
    );
  return (
    <SaveDialog
      title="Create an access token"
      description="For one program. Its calls are recorded under this name."
      act="Create token"
      ready={name !== "" && fault === undefined}
      save={create}
      onSave={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        mono
        placeholder="ci"
        error={fault}
        value={name}
        onChange={(next) => setName(next.trim())}
      />
      <Select
        label="Access"
        hint={tokenScopes.find(({ id }) => id === surface)?.hint}
        options={tokenScopes.map(({ id, label }) => ({ id, label }))}
        value={surface}
        onChange={setSurface}
      />
    </SaveDialog>
  );
}

function CreatedToken({
  created: { token, view },
  onClose,
}: {
  created: TokenCreated;
  onClose: () => void;
}): ReactElement {
  const text = useRef<HTMLElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Token “${view.name}” created`}
      description="Copy it now. Baton stores only a hash, so it can't be shown again."
      focusFirst={() => text.current}
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex items-start gap-2 rounded-control border bg-surface px-2.5 py-1.5">
        <code
          ref={text}
          tabIndex={-1}
          className="min-w-0 flex-1 select-all break-all text-12 outline-none"
        >
          {token}
        </code>
        <CopyButton text={token} label="Copy token" />
      </div>
    </Dialog>
  );
}
