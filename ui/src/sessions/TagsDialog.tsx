import { type ReactElement, useState } from "react";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { TextField } from "@/components/TextField";
import { useEnrichment, useEnrichmentChange } from "@/shell/enrichments";
import { parseTags } from "./sessionText";

export interface TagsDialogProps {
  id: string;
  title: string;
  onClose: () => void;
  /** Where the focus goes afterwards. */
  focusAfter?: () => HTMLElement | null | undefined;
}

/** The tags of a session, all at once. */
export function TagsDialog({ id, title, onClose, focusAfter }: TagsDialogProps): ReactElement {
  const { enrichment, read } = useEnrichment("session", id);
  const change = useEnrichmentChange();
  const [draft, setDraft] = useState<string>();
  const text = draft ?? enrichment.tags.join(", ");

  async function save() {
    if (await change("session", id, { tags: parseTags(text) })) onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Tags"
      description={title}
      focusAfter={focusAfter}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={!read} onClick={() => void save()}>
            Save tags
          </Button>
        </>
      }
    >
      <TextField
        autoFocus
        label="Tags"
        hint="Separate them with commas. They are kept on this machine, beside the agent's files."
        value={text}
        onChange={setDraft}
        onKeyDown={(event) => event.key === "Enter" && read && void save()}
      />
    </Dialog>
  );
}
