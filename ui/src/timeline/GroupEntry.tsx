import { BookOpen } from "lucide-react";
import type { ReactElement } from "react";
import type { TimelineEntry } from "@/api/bindings";
import { describeToolGroup } from "@/attempt/toolCategory";
import { EntryBody } from "./EntryBody";
import { EntryFrame } from "./EntryFrame";
import { EntryLine } from "./EntryLine";
import { useTimelineContext } from "./timelineContext";

/** Consecutive reads and searches as one line. When open, it also renders the first of them. */
export function GroupEntry({
  entries,
  open,
}: {
  entries: readonly TimelineEntry[];
  open: boolean;
}): ReactElement | null {
  const { dispatch } = useTimelineContext();
  const [first] = entries;
  if (!first) return null;
  return (
    <>
      <EntryFrame entry={first} icon={<BookOpen />}>
        <EntryLine
          open={open}
          onToggle={() => dispatch({ act: "group", first: first.seq, open: !open })}
          verb={describeToolGroup(entries)}
          object={open ? "" : namesIn(entries)}
        />
      </EntryFrame>
      {open && (
        <div className="ml-6">
          <EntryBody entry={first} />
        </div>
      )}
    </>
  );
}

function namesIn(entries: readonly TimelineEntry[]): string {
  const objects = entries.map(({ kind }) => (kind.type === "toolCall" ? kind.summary : ""));
  return objects.map((object) => object.split("/").at(-1)).join(", ");
}
