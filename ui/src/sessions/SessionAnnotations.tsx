import { NotebookPen, Tags } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useKeyBindings } from "@/commands/keyBindings";
import { type LocalCommandId, localCommandFor } from "@/commands/localCommands";
import { IconButton } from "@/components/IconButton";
import { Tag } from "@/components/Pill";
import { useEnrichment, useEnrichmentChange } from "@/shell/enrichments";
import { NoteDialog } from "./NoteDialog";
import { SessionStar } from "./SessionStar";
import { TagsDialog } from "./TagsDialog";

/** What the person noted on a session, and the acts that note. The keys of the list do the same anywhere on the page. */
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
        label={notes === "" ? "Write a note" : "Edit the note"}
        keys={keysOf("sessions_note")[0] ?? ""}
        icon={<NotebookPen />}
        pressed={notes !== ""}
        onClick={() => ask("note")}
      />
      {asked === "tags" && <TagsDialog {...dialog} />}
      {asked === "note" && <NoteDialog {...dialog} />}
    </>
  );
}

/** Acts by the keys of the list, where no field and no dialog has them. */
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
