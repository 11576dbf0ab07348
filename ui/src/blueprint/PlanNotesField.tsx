import { type ReactElement, useEffect, useEffectEvent, useState } from "react";
import { TextArea } from "@/components/TextArea";
import { useEnrichment, useEnrichmentChange } from "@/shell/enrichments";

/** How long after the last keystroke notes are saved. */
const saveDelayMs = 500;

/** A person's own notes about the plan. They are not part of it: no version, no undo, no export. */
export function PlanNotesField({ plan }: { plan: string }): ReactElement {
  const { enrichment, read, error } = useEnrichment("plan", plan);
  const change = useEnrichmentChange();
  const [draft, setDraft] = useState<string>();
  const [failed, setFailed] = useState(false);
  const unsaved = draft !== undefined && draft !== enrichment.notes;

  const save = useEffectEvent(() => {
    if (draft === undefined || !unsaved) return;
    void change("plan", plan, { notes: draft }).then((stored) => setFailed(!stored));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every keystroke restarts the timer
  useEffect(() => {
    if (!unsaved || failed) return;
    const timer = setTimeout(save, saveDelayMs);
    return () => clearTimeout(timer);
  }, [draft, unsaved, failed]);
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
      }}
      onBlur={() => {
        save();
        if (!failed) setDraft(undefined);
      }}
    />
  );
}

function notesError(unread: string | undefined, failed: boolean): string | undefined {
  if (unread !== undefined) return `Couldn't load your notes. ${unread}`;
  return failed ? "Couldn't save. Keep typing or leave the field to try again." : undefined;
}
