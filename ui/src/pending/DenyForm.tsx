import type { ReactElement } from "react";
import { Button } from "@/components/Button";
import { TextField } from "@/components/TextField";
import { useTextDraft } from "@/shell/useTextDraft";

interface DenyFormProps {
  /** The reason is kept under this name until it is sent. */
  draftName: string;
  sending: boolean;
  onDeny: (reason: string) => void;
  /** Back and Escape. Only Escape keeps the reason. */
  onCancel: () => void;
}

/** Denies a permission with a reason for the agent. */
export function DenyForm({ draftName, sending, onDeny, onCancel }: DenyFormProps): ReactElement {
  const [reason, setReason, discard] = useTextDraft(draftName);
  return (
    <form
      className="flex w-full min-w-0 flex-wrap items-end gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(reason.trim());
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <div className="min-w-48 flex-1">
        <TextField
          label="Reason"
          placeholder="Sent to the agent, which then continues"
          value={reason}
          autoFocus
          dir="auto"
          onChange={setReason}
        />
      </div>
      <Button size="small" kind="primary" type="submit" busy={sending}>
        Deny
      </Button>
      <Button
        size="small"
        type="button"
        onClick={() => {
          discard();
          onCancel();
        }}
      >
        Back
      </Button>
    </form>
  );
}
