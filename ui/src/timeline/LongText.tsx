import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useBackend } from "@/api/backendContext";
import type { StyledRange, TimelineEntry } from "@/api/bindings";
import { CopyButton } from "@/components/CopyButton";
import { classes } from "@/components/classes";
import { formatBytes } from "@/components/formatBytes";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { TerminalText } from "@/components/TerminalText";
import { useTimelineContext } from "./timelineContext";
import { fullEntryQuery } from "./timelineSource";
import { truncateText } from "./truncateText";

export interface LongTextProps {
  /** The entry that the text belongs to. Its number is used to fetch the full text. */
  entry: TimelineEntry;
  /** Extracts the text from the entry, truncated or full. */
  textOf: (entry: TimelineEntry) => string;
  /** How many bytes of the text are missing from the entry. */
  leftOut?: number;
  lines?: number;
  /** Extracts how the text's parts look in a terminal, from the entry that the text is of. */
  stylesOf?: (entry: TimelineEntry) => readonly StyledRange[] | undefined;
  copyLabel: string;
  className?: string;
}

const noStyles: readonly StyledRange[] = [];

/** More text than this in one element would freeze the window. */
const maxShownCharacters = 400_000;

/**
 * Preformatted text. Shows the first lines, and on request everything up to `maxShownCharacters`.
 */
export function LongText({
  entry,
  textOf,
  leftOut = 0,
  lines = 20,
  stylesOf,
  copyLabel,
  className,
}: LongTextProps): ReactElement {
  const backend = useBackend();
  const { source, view, dispatch } = useTimelineContext();
  // Kept in the view, because rows unmount when they scroll out of sight.
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
        {shown === "" ? (
          <span className="text-faint">No output</span>
        ) : (
          <TerminalText text={shown} styles={stylesOf?.(whole.data ?? entry) ?? noStyles} />
        )}
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

/** Says how much of the text is still not shown, and why. */
function Remainder({ whole, text, shown }: RemainderProps): ReactElement | null {
  if (whole.isFetching) return <span className="text-faint">Loading the rest…</span>;
  if (whole.error) {
    return <span className="text-danger-fg">Couldn't load the rest. {whole.error.message}</span>;
  }
  if (shown.length === text.length) return null;
  return (
    <span className="text-faint">
      Showing the first {formatBytes(shown.length)} of {formatBytes(text.length)}. Copy to get the
      full text.
    </span>
  );
}
