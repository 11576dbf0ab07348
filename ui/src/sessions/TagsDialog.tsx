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
  /** Returns the element to focus after closing. */
  focusAfter?: () => HTMLElement | null | undefined;
}

/** Edits all tags of a session in one field. */
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
        hint="Separate tags with commas. Stored on this machine, separate from the agent's files."
        value={text}
        onChange={setDraft}
        onKeyDown={(event) => event.key === "Enter" && read && void save()}
      />
    </Dialog>
  );
}
