import type { ReactElement, ReactNode } from "react";
import type { TimelineEntry } from "@/api/bindings";
import { clockWords } from "@/attempt/words";
import { classes } from "@/components/classes";
import { exactTime } from "@/components/time";
import { useSurroundings } from "./surroundings";

export interface EntryFrameProps {
  entry: TimelineEntry;
  icon: ReactNode;
  /** The icon in another hue than the quiet one, such as `text-state-failed`. */
  hue?: string;
  children: ReactNode;
}

/** The place of every entry: icon, body, and when it was. The words of a helper agent stand further in. */
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
  const { startedAt } = useSurroundings();
  const at = entry.at.atMs;
  if (at === null) return <span />;
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={exactTime(at)}
      className="text-right text-11 text-faint leading-5 tabular-nums"
    >
      {startedAt === undefined ? exactTime(at).slice(-12, -4) : clockWords(at - startedAt)}
    </time>
  );
}
