import { memo, type ReactElement } from "react";
import type { TimelineEntry } from "@/api/bindings";
import { ImageEntry, TodoListEntry } from "./DetailEntries";
import { PromptEntry, TextEntry, ThinkingEntry } from "./MessageEntries";
import { ErrorEntry, NoteEntry, RetryEntry, UnknownEntry, UsageEntry } from "./NoticeEntries";
import { OutputEntry } from "./OutputEntry";
import { PermissionEntry } from "./PermissionEntry";
import { ToolCallEntry } from "./ToolCallEntry";

/**
 * The content of one entry. Memoized, so scrolling moves rows without rendering their entries
 * again.
 */
export const EntryBody = memo(EntryOfKind);

function EntryOfKind({ entry }: { entry: TimelineEntry }): ReactElement {
  const { kind } = entry;
  switch (kind.type) {
    case "prompt":
      return <PromptEntry entry={entry} text={kind.text} />;
    case "text":
      return <TextEntry entry={entry} />;
    case "thinking":
      return <ThinkingEntry entry={entry} text={kind.text} />;
    case "toolCall":
      return <ToolCallEntry entry={entry} call={kind} />;
    case "output":
      return <OutputEntry entry={entry} stream={kind.stream} />;
    case "permission":
      return <PermissionEntry entry={entry} permission={kind} />;
    case "retry":
      return <RetryEntry entry={entry} retry={kind} />;
    case "usage":
      return <UsageEntry entry={entry} usage={kind.usage} />;
    case "error":
      return <ErrorEntry entry={entry} />;
    case "note":
      return <NoteEntry entry={entry} text={kind.text} />;
    case "todoList":
      return <TodoListEntry entry={entry} items={kind.items} />;
    case "image":
      return <ImageEntry entry={entry} />;
    case "unknown":
      return <UnknownEntry entry={entry} raw={kind.raw} />;
  }
}
