import { Image, ListChecks } from "lucide-react";
import type { ReactElement } from "react";
import type { TimelineEntry, TimelineImage, TodoItem } from "@/api/bindings";
import { EntryFrame } from "./EntryFrame";
import { ImageList } from "./ImageList";
import { TodoCheckList } from "./TodoCheckList";

/** The agent's own plan. */
export function TodoListEntry({
  entry,
  items,
}: {
  entry: TimelineEntry;
  items: readonly TodoItem[];
}): ReactElement {
  return (
    <EntryFrame entry={entry} icon={<ListChecks />}>
      <TodoCheckList items={items} />
    </EntryFrame>
  );
}

/** An image in a message. */
export function ImageEntry({ entry }: { entry: TimelineEntry }): ReactElement {
  return (
    <EntryFrame entry={entry} icon={<Image />}>
      <ImageList entry={entry} imagesOf={imagesOf} />
    </EntryFrame>
  );
}

function imagesOf({ kind }: TimelineEntry): readonly TimelineImage[] {
  return kind.type === "image" ? [kind.image] : [];
}
