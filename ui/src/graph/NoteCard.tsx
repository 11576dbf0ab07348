import type { NodeProps } from "@xyflow/react";
import { memo, type ReactElement, useState } from "react";
import { classes } from "@/components/classes";
import { Markdown } from "@/components/Markdown";
import { TitleInput } from "@/components/TitleInput";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { sizeOf } from "@/plan/geometry";
import { NoteEditor } from "./NoteEditor";
import { NoteResizeHandle } from "./NoteResizeHandle";
import type { CardNode } from "./toFlow";

/**
 * A note on the canvas, written in Markdown. A double-click edits it. It has no edges and never
 * runs.
 */
export const NoteCard = memo(function NoteCard({ id, data, selected }: NodeProps<CardNode>) {
  const { edit } = useBlueprint();
  const { node, title, renaming, refused } = data;
  const [pulled, setPulled] = useState<{ width: number; height: number }>();
  if (node.kind.kind !== "note") return null;
  const isEmpty = node.kind.text === "";
  return (
    <div
      style={pulled ?? sizeOf(node)}
      data-color={node.kind.color ?? undefined}
      className={classes(
        "note-paper relative flex flex-col gap-0.5 rounded-control border px-2.5 py-2 text-12 outline-accent outline-offset-0",
        // The field for the title is larger than the note where the canvas is zoomed out.
        !renaming && "overflow-hidden",
        selected && "outline-2",
        refused && "opacity-35",
        data.found && "card-found",
      )}
    >
      {renaming ? (
        <TitleInput
          label="Note title"
          title={node.title}
          onDone={(next, entered) => {
            edit.rename(id, next);
            // A new note is named first; what it says comes next.
            if (entered && isEmpty) edit.startWriting(id);
          }}
          className="-ml-1"
        />
      ) : (
        <div dir="auto" className="truncate font-medium text-12" title={title}>
          {title}
        </div>
      )}
      <NoteText id={id} text={node.kind.text} />
      {selected && <NoteResizeHandle id={id} size={sizeOf(node)} onPull={setPulled} />}
    </div>
  );
});

function NoteText({ id, text }: { id: string; text: string }): ReactElement {
  const writing = usePage((state) => state.writing === id);
  if (writing) return <NoteEditor id={id} text={text} />;
  return (
    <div className="min-h-0 flex-1 overflow-hidden text-muted group-data-[lod=block]/canvas:hidden">
      {text ? (
        <Markdown text={text} />
      ) : (
        <span className="text-faint">Empty note. Double-click to edit.</span>
      )}
    </div>
  );
}
