import { type ReactElement, useMemo } from "react";
import type { TimelineEntry } from "@/api/bindings";
import { CopyButton } from "@/components/CopyButton";
import { formatBytes } from "@/components/formatBytes";
import { Markdown } from "@/components/Markdown";
import { Remainder } from "./Remainder";
import { TextRowList } from "./TextRowList";
import { TextRows } from "./TextRows";
import { useTimelineContext } from "./timelineContext";
import { leftOutBytesOf, useWholeEntry } from "./useWholeEntry";

interface LongMarkdownProps {
  entry: TimelineEntry;
  /** Extracts the text from the entry, truncated or full. */
  textOf: (entry: TimelineEntry) => string;
}

/** More Markdown than this would freeze the window. */
const maxMarkdownCharacters = 100_000;

/** Prose, whatever its preferences for output are. */
const prose = { wrap: true, lineNumbers: false };

/**
 * The Markdown of a message. Of a very long one, its beginning, and on request all of it as plain
 * text.
 */
export function LongMarkdown({ entry, textOf }: LongMarkdownProps): ReactElement {
  const { view, dispatch } = useTimelineContext();
  // Kept in the view, because rows unmount when they scroll out of sight.
  const name = `${entry.seq} message`;
  const unfolded = view.unfolded.has(name);
  const whole = useWholeEntry(entry, leftOutBytesOf, unfolded);
  const text = textOf(whole.entry);
  const leftOut = leftOutBytesOf(whole.entry);
  const size = text.length + leftOut;
  const isPlain = unfolded && text.length > maxMarkdownCharacters;
  const shown = isPlain ? text.length : Math.min(text.length, maxMarkdownCharacters);

  return (
    <>
      {isPlain ? <PlainText text={text} /> : <Markdown text={text.slice(0, shown)} />}
      {(unfolded || shown < size) && (
        <div className="mt-1 flex flex-wrap items-center gap-x-3 border-t pt-1 text-12 not-italic">
          <button
            type="button"
            aria-expanded={unfolded}
            onClick={() => dispatch({ act: "unfold", text: name, whole: !unfolded })}
            className="font-medium text-accent-fg hover:underline"
          >
            {unfolded ? "Show only the beginning" : `Show all ${formatBytes(size)}`}
          </button>
          <CopyButton text={async () => textOf(await whole.load())} label="Copy message" />
          {unfolded ? (
            <Remainder {...{ whole, text, leftOut, shown }} />
          ) : (
            <span className="text-faint">
              Showing the first {formatBytes(shown)} of {formatBytes(size)}.
            </span>
          )}
          {isPlain && (
            <span className="text-faint">Too long for Markdown, so it's plain text.</span>
          )}
        </div>
      )}
    </>
  );
}

function PlainText({ text }: { text: string }): ReactElement {
  const rows = useMemo(() => new TextRows(text, []), [text]);
  return (
    <div className="rounded-control border bg-canvas">
      <TextRowList rows={rows} preferences={prose} />
    </div>
  );
}
