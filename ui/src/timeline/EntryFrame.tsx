import type { ReactElement, ReactNode } from "react";
import type { TimelineEntry } from "@/api/bindings";
import { formatPlaybackTime } from "@/attempt/attemptFormat";
import { classes } from "@/components/classes";
import { formatDateTime } from "@/components/time";
import { useTimelineContext } from "./timelineContext";

export interface EntryFrameProps {
  entry: TimelineEntry;
  icon: ReactNode;
  /** A text color class for the icon, such as `text-state-failed`; faint by default. */
  hue?: string;
  children: ReactNode;
}

/** The layout shared by all entries: icon, body and time. Entries of subagents are indented. */
export function EntryFrame({ entry, icon, hue, children }: EntryFrameProps): ReactElement {
  return (
    <div
      className={classes(
        "grid grid-cols-[--spacing(4)_minmax(0,1fr)_--spacing(11)] gap-x-2.5 py-1",
        entry.parent !== null && "ml-2 border-l pl-4",
      )}
    >
      <span
        aria-hidden="true"
        className={classes("flex h-5 items-center [&>svg]:size-4", hue ?? "text-faint")}
      >
        {icon}
      </span>
      <div className="min-w-0">{children}</div>
      <EntryTime entry={entry} />
    </div>
  );
}

function EntryTime({ entry }: { entry: TimelineEntry }): ReactElement | null {
  const { startedAt } = useTimelineContext();
  const at = entry.at.atMs;
  if (at === null) return <span />;
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={formatDateTime(at)}
      className="text-right text-11 text-faint leading-5 tabular-nums"
    >
      {startedAt === undefined
        ? formatDateTime(at).slice(-12, -4)
        : formatPlaybackTime(at - startedAt)}
    </time>
  );
}
