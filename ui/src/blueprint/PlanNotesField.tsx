import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from "react";
import { useConnectionState } from "@/api/useConnection";
import { Button } from "@/components/Button";
import { TextArea } from "@/components/TextArea";
import { removeDraft } from "@/shell/drafts";
import { useEnrichment, useEnrichmentChange } from "@/shell/enrichments";
import { readTextDraft, type TextDraft, writeTextDraft } from "@/shell/useTextDraft";

/** How long after the last keystroke notes are saved. */
const saveDelayMs = 500;

/** The name under which typed notes are kept until they are saved. */
export function notesDraftName(plan: string): string {
  return `notes/plan/${plan}`;
}

/**
 * A person's own notes about the plan. They are not part of it: no version, no undo, no export.
 * Until they are saved, what was typed is kept like an answer, and saved when the field is shown
 * again. If other notes were stored meanwhile, the person chooses.
 */
export function PlanNotesField({ plan }: { plan: string }): ReactElement {
  const { enrichment, read, error } = useEnrichment("plan", plan);
  const change = useEnrichmentChange();
  const draftName = notesDraftName(plan);
  const [draft, setDraft] = useState(() => readTextDraft(draftName));
  const [failed, setFailed] = useState(false);
  /** What is being saved, which the query shows already. */
  const sent = useRef<string>(undefined);
  const [lastSent, setLastSent] = useState<string>();
  const stored = enrichment.notes;
  const isConflict =
    read && draft !== undefined && ![draft.base, draft.text, lastSent].includes(stored);

  const keep = (next: TextDraft) => {
    setFailed(false);
    setDraft(next);
    writeTextDraft(draftName, next);
  };
  const discard = () => {
    setFailed(false);
    setDraft(undefined);
    removeDraft(draftName);
  };

  const save = useEffectEvent(() => {
    if (draft === undefined || !read || isConflict || sent.current === draft.text) return;
    const { text } = draft;
    const over = sent.current ?? draft.base;
    sent.current = text;
    setLastSent(text);
    void change("plan", plan, { notes: text }, over).then((isStored) => {
      if (sent.current === text) sent.current = undefined;
      setFailed(!isStored);
      if (!isStored) return;
      setLastSent((now) => (now === text ? undefined : now));
      // Something else may have been typed since, also in another window.
      const kept = readTextDraft(draftName);
      if (kept?.text === text) removeDraft(draftName);
      else if (kept?.base === over) writeTextDraft(draftName, { ...kept, base: text });
      setDraft((now) => (now && now.text !== text ? { ...now, base: text } : undefined));
    });
  });
  useEffect(() => {
    if (draft === undefined || failed || !read || isConflict) return;
    const timer = setTimeout(save, saveDelayMs);
    return () => clearTimeout(timer);
  }, [draft, failed, read, isConflict]);
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
    <>
      <TextArea
        label="Your notes"
        hint="Stored on this machine only. Notes don't change the version or approval and aren't exported."
        error={notesError(error?.message, failed && !isConflict)}
        disabled={!read}
        readOnly={isConflict}
        value={isConflict ? stored : (draft?.text ?? stored)}
        onChange={(text) => keep({ text, base: draft?.base ?? stored })}
        onBlur={save}
      />
      {isConflict && (
        <OtherNotes
          text={draft.text}
          onUse={() => keep({ text: draft.text, base: stored })}
          onDiscard={discard}
        />
      )}
    </>
  );
}

interface OtherNotesProps {
  text: string;
  onUse: () => void;
  onDiscard: () => void;
}

/** Notes that were typed here over others than those that are stored now. */
function OtherNotes({ text, onUse, onDiscard }: OtherNotesProps): ReactElement {
  return (
    <div role="alert" className="mt-1 flex flex-col gap-1 text-12">
      <p>You typed other notes here, which weren't saved.</p>
      <p
        dir="auto"
        className="max-h-40 overflow-y-auto whitespace-pre-wrap break-words rounded-control border px-2 py-1 text-13"
      >
        {text === "" ? <span className="text-faint">Empty</span> : text}
      </p>
      <div className="flex gap-2">
        <Button size="small" onClick={onUse}>
          Use mine
        </Button>
        <Button size="small" onClick={onDiscard}>
          Discard mine
        </Button>
      </div>
    </div>
  );
}

function notesError(unread: string | undefined, failed: boolean): string | undefined {
  if (unread !== undefined) return `Couldn't load your notes. ${unread}`;
  return failed ? "Couldn't save. Keep typing or leave the field to try again." : undefined;
}
