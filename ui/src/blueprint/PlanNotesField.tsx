import { type ReactElement, useEffect, useEffectEvent, useState } from "react";
import { TextArea } from "@/components/TextArea";
import { useEnrichment, useEnrichmentChange } from "@/shell/enrichments";

/** How long writing has to rest before it is saved, in milliseconds. */
const saveDelayMs = 500;

/** What a person notes on the plan for themselves. It is no part of the plan: no version, no undo, no export. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: every letter begins the rest anew
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
  return failed ? "Not saved. Keep typing, or leave the field, to try again." : undefined;
}
