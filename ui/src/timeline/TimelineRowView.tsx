import type { ReactElement } from "react";
import { Skeleton } from "@/components/Skeleton";
import { EntryBody } from "./EntryBody";
import { GroupEntry } from "./GroupEntry";
import type { TimelineRow } from "./timelineRow";

/** Renders the row of one entry. */
export function TimelineRowView({
  row,
  seq,
}: {
  row: TimelineRow;
  seq: number;
}): ReactElement | null {
  switch (row.kind) {
    case "hidden":
      return null;
    case "unread":
      // Widths vary by position, so that placeholders look like lines of text.
      return (
        <div className="py-1 pl-6.5">
          <Skeleton width={`${30 + ((seq * 37) % 50)}%`} />
        </div>
      );
    case "group":
      return <GroupEntry entries={row.entries} open={row.open} />;
    case "entry":
      return (
        <div className={row.inGroup ? "ml-6" : undefined}>
          <EntryBody entry={row.entry} />
        </div>
      );
  }
}
