import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { useBlueprint } from "@/blueprint/blueprintContext";
import { classes } from "@/components/classes";
import { Markdown } from "@/components/Markdown";
import { TitleInput } from "./TitleInput";
import type { CardNode } from "./toFlow";

/** A note on the canvas: Markdown on paper. It has no edges and never runs. */
export const NoteCard = memo(function NoteCard({ id, data, selected }: NodeProps<CardNode>) {
  const { edit } = useBlueprint();
  const { node, title, renaming, refused } = data;
  const text = node.kind.kind === "note" ? node.kind.text : "";
  return (
    <div
      className={classes(
        "note-paper flex h-[120px] w-[220px] flex-col gap-0.5 overflow-hidden rounded-control border px-2.5 py-2 text-12 outline-accent outline-offset-2",
        selected && "outline-2",
        refused && "opacity-35",
      )}
    >
      {renaming ? (
        <TitleInput
          label="Title of the note"
          title={node.title}
          onDone={(next) => edit.rename(id, next)}
          className="-ml-1"
        />
      ) : (
        <div dir="auto" className="truncate font-medium text-12" title={title}>
          {title}
        </div>
      )}
      <div className="min-h-0 flex-1 overflow-hidden text-muted group-data-[lod=block]/canvas:hidden">
        {text ? <Markdown text={text} /> : <span className="text-faint">Empty note</span>}
      </div>
    </div>
  );
});
