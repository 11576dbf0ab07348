import { type ReactElement, useState } from "react";
import { closestNodeCard } from "@/components/TitleInput";
import { useBlueprint } from "@/plan/blueprintContext";

/**
 * The editor for the Markdown of a note. Blur, Escape and Ctrl+Enter all save the text; undo
 * reverts it.
 */
export function NoteEditor({ id, text: before }: { id: string; text: string }): ReactElement {
  const { edit } = useBlueprint();
  const [text, setText] = useState(before);

  return (
    <textarea
      // The user opened it by a double-click or a command.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      aria-label="Note text (Markdown)"
      dir="auto"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onFocus={({ currentTarget }) =>
        currentTarget.setSelectionRange(currentTarget.value.length, currentTarget.value.length)
      }
      onBlur={() => edit.writeNote(id, text)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        const ends = event.key === "Enter" && (event.ctrlKey || event.metaKey);
        if (!ends && event.key !== "Escape") return;
        const card = closestNodeCard(event.currentTarget);
        edit.writeNote(id, text);
        card?.focus({ preventScroll: true });
      }}
      className="nodrag nopan nowheel -mx-1 min-h-0 flex-1 resize-none rounded-small border border-focus bg-surface px-1 font-mono text-12 outline-none"
    />
  );
}
