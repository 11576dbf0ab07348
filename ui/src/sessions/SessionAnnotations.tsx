import { NotebookPen, Tags } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useKeyBindings } from "@/commands/keyBindings";
import { type LocalCommandId, localCommandFor } from "@/commands/localCommands";
import { IconButton } from "@/components/IconButton";
import { Tag } from "@/components/Pill";
import { useEnrichment, useEnrichmentChange } from "@/shell/enrichments";
import { NoteDialog } from "@/shell/NoteDialog";
import { SessionStar } from "./SessionStar";
import { noteHint } from "./sessionText";
import { TagsDialog } from "./TagsDialog";

/**
 * Star, tags and note of a session with buttons to edit them. The shortcuts of the list work on
 * this page too.
 */
export function SessionAnnotations({ id, title }: { id: string; title: string }): ReactElement {
  const { enrichment, read } = useEnrichment("session", id);
  const change = useEnrichmentChange();
  const [asked, ask] = useState<"tags" | "note">();
  const { starred, tags, notes } = enrichment;
  const button = useRef<HTMLButtonElement>(null);
  const dialog = { id, title, onClose: () => ask(undefined), focusAfter: () => button.current };
  usePageKeys({
    sessions_star: () => read && void change("session", id, { starred: !starred }),
    sessions_tags: () => read && ask("tags"),
    sessions_note: () => read && ask("note"),
  });
  const { keysOf } = useKeyBindings();

  return (
    <>
      <span className="hidden max-w-80 items-center gap-1 overflow-hidden lg:flex">
        {tags.map((tag) => (
          <Tag key={tag} name={tag} />
        ))}
      </span>
      <SessionStar id={id} title={title} />
      <IconButton
        ref={button}
        label="Edit tags"
        keys={keysOf("sessions_tags")[0] ?? ""}
        icon={<Tags />}
        onClick={() => ask("tags")}
      />
      <IconButton
        label={notes === "" ? "Add note" : "Edit note"}
        keys={keysOf("sessions_note")[0] ?? ""}
        icon={<NotebookPen />}
        pressed={notes !== ""}
        onClick={() => ask("note")}
      />
      {asked === "tags" && <TagsDialog {...dialog} />}
      {asked === "note" && <NoteDialog subject="session" hint={noteHint} {...dialog} />}
    </>
  );
}

/** Handles the shortcuts of the list on the whole page, except in fields and dialogs. */
function usePageKeys(acts: Partial<Record<LocalCommandId, () => unknown>>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.repeat || event.defaultPrevented) return;
      const target = event.target as HTMLElement | null;
      if (target?.closest("input, textarea, [contenteditable], [role*=dialog], [role=combobox]"))
        return;
      const meant = localCommandFor("sessions", event);
      const act = meant && acts[meant];
      if (!act) return;
      event.preventDefault();
      act();
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}
