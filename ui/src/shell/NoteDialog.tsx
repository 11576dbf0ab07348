import type { ReactElement } from "react";
import type { EnrichmentSubject } from "@/api/bindings";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { TextArea } from "@/components/TextArea";
import { DraftHint } from "./DraftHint";
import { useEnrichment, useEnrichmentChange } from "./enrichments";
import { useTextDraft } from "./useTextDraft";

export interface NoteDialogProps {
  subject: EnrichmentSubject;
  id: string;
  /** Names the item. */
  title: string;
  hint: string;
  onClose: () => void;
  /** Returns the element to focus after closing. */
  focusAfter?: () => HTMLElement | null | undefined;
}

/** Edits the user's private note on an item. An empty note deletes it. */
export function NoteDialog({
  subject,
  id,
  title,
  hint,
  onClose,
  focusAfter,
}: NoteDialogProps): ReactElement {
  const { enrichment, read } = useEnrichment(subject, id);
  const change = useEnrichmentChange();
  const [text, setText, discard, isOverOther] = useTextDraft(
    `note/${subject}/${id}`,
    enrichment.notes,
  );

  async function save() {
    if (!(await change(subject, id, { notes: text.trim() }))) return;
    discard();
    onClose();
  }

  function cancel() {
    discard();
    onClose();
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
          <Button onClick={cancel}>Cancel</Button>
          <Button kind="primary" disabled={!read} onClick={() => void save()}>
            Save note
          </Button>
        </>
      }
    >
      <TextArea
        autoFocus
        label="Note"
        hint={`${hint} Press Ctrl+Enter to save.`}
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && read) void save();
        }}
      />
      {read && isOverOther && <DraftHint back="Use the saved note" onBack={discard} />}
    </Dialog>
  );
}
