import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from "react";
import { useConnectionState } from "@/api/useConnection";
import { TextArea } from "@/components/TextArea";
import { removeDraft, writeDraft } from "@/shell/drafts";
import { useEnrichment, useEnrichmentChange } from "@/shell/enrichments";
import { readTextDraft } from "@/shell/useTextDraft";

/** How long after the last keystroke notes are saved. */
const saveDelayMs = 500;

/** The name under which typed notes are kept until they are saved. */
export function notesDraftName(plan: string): string {
  return `notes/plan/${plan}`;
}

/**
 * A person's own notes about the plan. They are not part of it: no version, no undo, no export.
 * Until they are saved, what was typed is kept like an answer, and saved when the field is shown
 * again.
 */
export function PlanNotesField({ plan }: { plan: string }): ReactElement {
  const { enrichment, read, error } = useEnrichment("plan", plan);
  const change = useEnrichmentChange();
  const draftName = notesDraftName(plan);
  const [draft, setDraft] = useState(() => readTextDraft(draftName));
  const [failed, setFailed] = useState(false);
  const sent = useRef<string>(undefined);

  const save = useEffectEvent(() => {
    if (draft === undefined || !read || sent.current === draft) return;
    sent.current = draft;
    void change("plan", plan, { notes: draft }).then((isStored) => {
      if (sent.current === draft) sent.current = undefined;
      // Something else may have been typed since, also in another window.
      if (isStored && readTextDraft(draftName) === draft) removeDraft(draftName);
      if (isStored) setDraft((now) => (now === draft ? undefined : now));
      setFailed(!isStored);
    });
  });
  useEffect(() => {
    if (draft === undefined || failed || !read) return;
    const timer = setTimeout(save, saveDelayMs);
    return () => clearTimeout(timer);
  }, [draft, failed, read]);
  const connection = useConnectionState();
  useEffect(() => {
    // What couldn't be saved while the server was away is tried again.
    if (connection === "connected") setFailed(false);
  }, [connection]);
  useEffect(() => {
    window.addEventListener("pagehide", save);
    return () => {
      window.removeEventListener("pagehide", save);
      save();
    };
  }, []);

  return (
    <TextArea
      label="Your notes"
      hint="Stored on this machine only. Notes don't change the version or approval and aren't exported."
      error={notesError(error?.message, failed)}
      disabled={!read}
      value={draft ?? enrichment.notes}
      onChange={(text) => {
        setFailed(false);
        setDraft(text);
        writeDraft(draftName, text);
      }}
      onBlur={save}
    />
  );
}

function notesError(unread: string | undefined, failed: boolean): string | undefined {
  if (unread !== undefined) return `Couldn't load your notes. ${unread}`;
  return failed ? "Couldn't save. Keep typing or leave the field to try again." : undefined;
}
