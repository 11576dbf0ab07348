import { Coins, FileQuestion, Info, RotateCw, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import type { TimelineEntry, TimelineKind } from "@/api/bindings";
import { UsageLine } from "@/attempt/UsageLine";
import { formatElapsed } from "@/components/duration";
import { EntryFrame } from "./EntryFrame";
import { EntryLine } from "./EntryLine";
import { LongText } from "./LongText";
import { useExpanded } from "./timelineContext";
import { leftOutBytesOf } from "./useWholeEntry";

type EntryOfKind<Type extends TimelineKind["type"]> = Extract<TimelineKind, { type: Type }>;

/** An error, always expanded. */
export function ErrorEntry({ entry }: { entry: TimelineEntry }): ReactElement {
  return (
    <EntryFrame entry={entry} icon={<TriangleAlert />} hue="text-state-failed">
      <p className="mb-1 font-medium text-danger-fg">Error</p>
      <LongText
        entry={entry}
        textOf={({ kind }) => (kind.type === "error" ? kind.text : "")}
        leftOutOf={leftOutBytesOf}
        copyLabel="Copy error"
        className="border-l-2 border-l-state-failed"
      />
    </EntryFrame>
  );
}

export function NoteEntry({ entry, text }: { entry: TimelineEntry; text: string }): ReactElement {
  return (
    <EntryFrame entry={entry} icon={<Info />}>
      <p dir="auto" className="select-text whitespace-pre-line break-words text-muted">
        {text}
      </p>
    </EntryFrame>
  );
}

/** A retry of a request: "API overloaded, attempt 2 of 10, next in 4.0 s". */
export function RetryEntry({
  entry,
  retry,
}: {
  entry: TimelineEntry;
  retry: EntryOfKind<"retry">;
}): ReactElement {
  const { reason, attempt, max, delayMs } = retry;
  return (
    <EntryFrame entry={entry} icon={<RotateCw />} hue="text-state-waiting">
      <p className="select-text break-words text-muted">
        <span className="font-medium text-fg">{reason}</span>,{" "}
        {max === 0 ? "retrying until it succeeds" : `attempt ${attempt} of ${max}`}
        {delayMs > 0 && (
          <>
            , next in <span className="tabular-nums">{formatElapsed(delayMs)}</span>
          </>
        )}
      </p>
    </EntryFrame>
  );
}

export function UsageEntry({
  entry,
  usage,
}: {
  entry: TimelineEntry;
  usage: EntryOfKind<"usage">["usage"];
}): ReactElement {
  return (
    <EntryFrame entry={entry} icon={<Coins />}>
      <UsageLine usage={usage} />
    </EntryFrame>
  );
}

/** A message of a type that this version doesn't know, shown as JSON when expanded. */
export function UnknownEntry({ entry, raw }: { entry: TimelineEntry; raw: string }): ReactElement {
  const { open, toggle } = useExpanded(entry);
  return (
    <EntryFrame entry={entry} icon={<FileQuestion />}>
      <EntryLine
        open={open}
        onToggle={toggle}
        verb="Unknown message"
        object={open ? "" : raw.slice(0, 200)}
      />
      {open && (
        <div className="mt-1.5">
          <LongText
            entry={entry}
            textOf={({ kind }) => (kind.type === "unknown" ? pretty(kind.raw) : "")}
            leftOutOf={leftOutBytesOf}
            copyLabel="Copy message"
          />
        </div>
      )}
    </EntryFrame>
  );
}

function pretty(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    return raw;
  }
}
