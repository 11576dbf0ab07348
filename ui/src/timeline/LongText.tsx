import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useBackend } from "@/api/backendContext";
import type { TimelineEntry } from "@/api/bindings";
import { CopyButton } from "@/components/CopyButton";
import { classes } from "@/components/classes";
import { formatBytes } from "@/components/formatBytes";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { useTimelineContext } from "./timelineContext";
import { fullEntryQuery } from "./timelineSource";
import { truncateText } from "./truncateText";

export interface LongTextProps {
  /** The entry that the text belongs to; the whole text is asked for by its number. */
  entry: TimelineEntry;
  /** Finds the text in the entry, cut or whole. */
  textOf: (entry: TimelineEntry) => string;
  /** How much of the text the entry leaves out, in bytes. */
  leftOut?: number;
  lines?: number;
  copyLabel: string;
  className?: string;
}

/** The most that is put into the window at once; a larger text would stop it. */
const maxShownCharacters = 400_000;

/** Output in its own letters: its beginning at once, the rest on request, whole up to 400 KB. */
export function LongText({
  entry,
  textOf,
  leftOut = 0,
  lines = 20,
  copyLabel,
  className,
}: LongTextProps): ReactElement {
  const backend = useBackend();
  const { source, view, dispatch } = useTimelineContext();
  // The row may leave and come back; what was unfolded stays so.
  const name = `${entry.seq} ${copyLabel}`;
  const unfolded = view.unfolded.has(name);
  const whole = useQuery({
    ...fullEntryQuery(backend, source, entry.seq),
    enabled: unfolded && leftOut > 0,
    gcTime: 0,
  });
  const text = textOf(whole.data ?? entry);
  const folded = truncateText(text, lines);
  const hidden = folded.hiddenCharacters + leftOut;
  const shown = unfolded ? text.slice(0, maxShownCharacters) : folded.shown;

  return (
    <div className={classes("group/text relative rounded-control border bg-canvas", className)}>
      <pre
        {...(unfolded && keyboardScrollable)}
        dir="auto"
        className={classes(
          "whitespace-pre-wrap break-words px-2.5 py-1.5 text-12 leading-4.5",
          unfolded && "max-h-120 overflow-auto",
        )}
      >
        {shown === "" ? <span className="text-faint">No output</span> : shown}
      </pre>
      <div className="absolute top-1 right-1 bg-canvas opacity-0 focus-within:opacity-100 group-hover/text:opacity-100">
        <CopyButton text={text} label={copyLabel} />
      </div>
      {hidden > 0 && (
        <div className="flex items-center gap-3 border-t px-2.5 py-1 text-12">
          <button
            type="button"
            onClick={() => dispatch({ act: "unfold", text: name, whole: !unfolded })}
            aria-expanded={unfolded}
            className="font-medium text-accent-fg hover:underline"
          >
            {unfolded ? "Show less" : `Show all ${formatBytes(text.length + leftOut)}`}
          </button>
          {unfolded && <Remainder {...{ whole, text, shown }} />}
        </div>
      )}
    </div>
  );
}

interface RemainderProps {
  whole: { isFetching: boolean; error: Error | null };
  text: string;
  shown: string;
}

/** What still is not on screen, and why. */
function Remainder({ whole, text, shown }: RemainderProps): ReactElement | null {
  if (whole.isFetching) return <span className="text-faint">Reading the rest</span>;
  if (whole.error) {
    return (
      <span className="text-danger-fg">The rest could not be read. {whole.error.message}</span>
    );
  }
  if (shown.length === text.length) return null;
  return (
    <span className="text-faint">
      The first {formatBytes(shown.length)} of {formatBytes(text.length)}. Copy takes all of it.
    </span>
  );
}
