import { NotebookPen, Tags } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useEnrichment, useEnrichmentChange } from "@/app/enrichments";
import { IconButton } from "@/components/IconButton";
import { Tag } from "@/components/Pill";
import { NoteDialog } from "./NoteDialog";
import { SessionStar } from "./SessionStar";
import { TagsDialog } from "./TagsDialog";

/** What the person noted on a session, and the acts that note. The keys S, T and N do the same anywhere on the page. */
export function SessionMarks({ id, title }: { id: string; title: string }): ReactElement {
  const { enrichment, read } = useEnrichment("session", id);
  const change = useEnrichmentChange();
  const [asked, ask] = useState<"tags" | "note">();
  const { starred, tags, notes } = enrichment;
  const button = useRef<HTMLButtonElement>(null);
  const dialog = { id, title, onClose: () => ask(undefined), focusAfter: () => button.current };
  usePageKeys({
    s: () => read && void change("session", id, { starred: !starred }),
    t: () => read && ask("tags"),
    n: () => read && ask("note"),
  });

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
        keys="T"
        icon={<Tags />}
        onClick={() => ask("tags")}
      />
      <IconButton
        label={notes === "" ? "Write a note" : "Edit the note"}
        keys="N"
        icon={<NotebookPen />}
        pressed={notes !== ""}
        onClick={() => ask("note")}
      />
      {asked === "tags" && <TagsDialog {...dialog} />}
      {asked === "note" && <NoteDialog {...dialog} />}
    </>
  );
}

/** Acts by single keys, where no field and no dialog has them. */
function usePageKeys(acts: Record<string, () => unknown>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const target = event.target as HTMLElement | null;
      if (target?.closest("input, textarea, [contenteditable], [role*=dialog], [role=combobox]"))
        return;
      const act = acts[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}
