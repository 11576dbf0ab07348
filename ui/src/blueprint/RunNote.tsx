import { NotebookPen } from "lucide-react";
import { type ReactElement, useRef, useState } from "react";
import type { RunView } from "@/api/bindings";
import { Button } from "@/components/Button";
import { Markdown } from "@/components/Markdown";
import { runNoteHint, runNoteTitle } from "@/plan/runNote";
import { useEnrichment } from "@/shell/enrichments";
import { NoteDialog } from "@/shell/NoteDialog";

/** A person's note on a run, above the summaries that its nodes wrote. */
export function RunNote({ run }: { run: RunView }): ReactElement {
  const { id, number } = run.summary;
  const { enrichment, read } = useEnrichment("run", id);
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { notes } = enrichment;
  return (
    <section aria-label="Your note" className="flex flex-col items-start gap-1.5">
      {notes !== "" && (
        <div dir="auto" className="w-full rounded-card border bg-raised px-3 py-2.5">
          <Markdown text={notes} />
        </div>
      )}
      <Button
        ref={button}
        size="small"
        kind="ghost"
        disabled={!read}
        onClick={() => setEditing(true)}
      >
        <NotebookPen />
        {notes === "" ? "Add a note to this run" : "Edit your note"}
      </Button>
      {editing && (
        <NoteDialog
          subject="run"
          id={id}
          title={runNoteTitle(number, run.plan.title)}
          hint={runNoteHint}
          onClose={() => setEditing(false)}
          focusAfter={() => button.current}
        />
      )}
    </section>
  );
}
