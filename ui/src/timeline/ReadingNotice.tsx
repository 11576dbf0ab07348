import type { ReactElement } from "react";
import type { TimelineReading } from "@/api/bindings";
import { Button } from "@/components/Button";
import { formatBytes } from "@/components/formatBytes";

export interface ReadingNoticeProps extends TimelineReading {
  /** Leaves the end; undefined if the beginning is shown. */
  onStart?: (() => void) | undefined;
}

/** Progress of loading a very long timeline. Later entries appear automatically. */
export function ReadingNotice({ read, size, onStart }: ReadingNoticeProps): ReactElement {
  const percent = size > 0 ? Math.floor((100 * read) / size) : 0;
  return (
    <div className="flex shrink-0 items-center gap-2 border-b px-4 py-1 text-12 text-muted">
      <progress
        aria-label="Loading timeline"
        max={100}
        value={percent}
        className="h-1 w-24 accent-(--accent)"
      />
      <span className="tabular-nums">
        Loaded {percent}% of {formatBytes(size)}.{" "}
        {onStart ? "These are the last entries." : "Later entries appear automatically."}
      </span>
      {onStart && (
        <Button size="small" onClick={onStart}>
          Show from the beginning
        </Button>
      )}
    </div>
  );
}
