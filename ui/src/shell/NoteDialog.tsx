import { type ReactElement, useState } from "react";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { TextArea } from "@/components/TextArea";
import { useEnrichment, useEnrichmentChange } from "@/shell/enrichments";
import type { TagsDialogProps } from "./TagsDialog";

/** Edits the user's private note on a session. */
export function NoteDialog({ id, title, onClose, focusAfter }: TagsDialogProps): ReactElement {
  const { enrichment, read } = useEnrichment("session", id);
  const change = useEnrichmentChange();
  const [draft, setDraft] = useState<string>();
  const text = draft ?? enrichment.notes;

  async function save() {
    if (await change("session", id, { notes: text.trim() })) onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Note"
      description={title}
      focusAfter={focusAfter}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={!read} onClick={() => void save()}>
            Save note
          </Button>
        </>
      }
    >
      <TextArea
        autoFocus
        label="Note"
        hint="Stored on this machine, separate from the agent's files. Press Ctrl+Enter to save."
        value={text}
        onChange={setDraft}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && read) void save();
        }}
      />
    </Dialog>
  );
}
