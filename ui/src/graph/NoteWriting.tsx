import { type ReactElement, useState } from "react";
import { useBlueprint } from "@/blueprint/blueprintContext";

/** The Markdown of a note while it is written: leaving or Ctrl+Enter keeps it, Escape gives up. */
export function NoteWriting({ id, text: before }: { id: string; text: string }): ReactElement {
  const { edit } = useBlueprint();
  const [text, setText] = useState(before);

  return (
    <textarea
      // The person asked for it by a double click or a command.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      aria-label="Text of the note, Markdown"
      dir="auto"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onFocus={({ currentTarget }) =>
        currentTarget.setSelectionRange(currentTarget.value.length, currentTarget.value.length)
      }
      onBlur={() => edit.writeNote(id, text)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.blur();
        // Blur follows when the field goes away; nobody writes the note any more then.
        if (event.key === "Escape") edit.writeNote(id, undefined);
      }}
      className="nodrag nopan nowheel -mx-1 min-h-0 flex-1 resize-none rounded-small border border-focus bg-surface px-1 font-mono text-12 outline-none"
    />
  );
}
