import { SlidersHorizontal } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import type { StyledRange, TimelineEntry } from "@/api/bindings";
import { CopyButton } from "@/components/CopyButton";
import { classes } from "@/components/classes";
import { formatBytes } from "@/components/formatBytes";
import { IconButton } from "@/components/IconButton";
import { Menu, type MenuEntry } from "@/components/Menu";
import { Remainder } from "./Remainder";
import { ShortTextRowList, TextRowList } from "./TextRowList";
import { TextRows } from "./TextRows";
import { type TextPreferences, useTextPreferences } from "./textPreferences";
import { useTimelineContext } from "./timelineContext";
import { truncateText } from "./truncateText";
import { useWholeEntry } from "./useWholeEntry";

export interface LongTextProps {
  /** The entry that the text belongs to. Its number is used to fetch the full text. */
  entry: TimelineEntry;
  /** Extracts the text from the entry, truncated or full. */
  textOf: (entry: TimelineEntry) => string;
  /** How many bytes of the text are missing from the entry, truncated or full. */
  leftOutOf?: (entry: TimelineEntry) => number;
  lines?: number;
  /** Extracts how the text's parts look in a terminal, from the entry that the text is of. */
  stylesOf?: (entry: TimelineEntry) => readonly StyledRange[] | undefined;
  copyLabel: string;
  className?: string;
}

const noStyles: readonly StyledRange[] = [];

/**
 * Text with the colors of a terminal. Places in files and web addresses are links. Shows the first
 * lines, and the rest on request.
 */
export function LongText(props: LongTextProps): ReactElement {
  const { entry, textOf, leftOutOf = nothingLeftOut, lines = 20, stylesOf } = props;
  const { copyLabel, className } = props;
  const { view, dispatch } = useTimelineContext();
  const [preferences, setPreferences] = useTextPreferences();
  // Kept in the view, because rows unmount when they scroll out of sight.
  const name = `${entry.seq} ${copyLabel}`;
  const unfolded = view.unfolded.has(name);
  const whole = useWholeEntry(entry, leftOutOf, unfolded);
  const text = textOf(whole.entry);
  const styles = stylesOf?.(whole.entry) ?? noStyles;
  const folded = useMemo(() => truncateText(text, lines), [text, lines]);
  const shown = unfolded ? text : folded.shown;
  const rows = useMemo(() => new TextRows(shown, styles), [shown, styles]);
  const leftOut = leftOutOf(whole.entry);

  return (
    <div className={classes("group/text relative rounded-control border bg-canvas", className)}>
      {shown === "" ? (
        <p className="px-2.5 py-1.5 font-mono text-12 text-faint">No output</p>
      ) : unfolded ? (
        <TextRowList {...{ rows, preferences }} />
      ) : (
        <ShortTextRowList {...{ rows, preferences }} />
      )}
      <div className="absolute top-1 right-1 z-2 flex bg-canvas opacity-0 focus-within:opacity-100 group-hover/text:opacity-100 has-data-[state=open]:opacity-100">
        <Menu align="end" entries={viewEntries(preferences, setPreferences)}>
          <IconButton size="small" label="View options" icon={<SlidersHorizontal />} />
        </Menu>
        <CopyButton text={async () => textOf(await whole.load())} label={copyLabel} />
      </div>
      {(unfolded || folded.hiddenCharacters + leftOut > 0) && (
        <div className="flex items-center gap-3 border-t px-2.5 py-1 text-12">
          <button
            type="button"
            onClick={() => dispatch({ act: "unfold", text: name, whole: !unfolded })}
            aria-expanded={unfolded}
            className="font-medium text-accent-fg hover:underline"
          >
            {unfolded ? "Show less" : `Show all ${formatBytes(text.length + leftOut)}`}
          </button>
          {unfolded && <Remainder {...{ whole, text, leftOut }} shown={rows.shownCharacters} />}
        </div>
      )}
    </div>
  );
}

function nothingLeftOut(): number {
  return 0;
}

function viewEntries(
  { wrap, lineNumbers }: TextPreferences,
  change: (change: Partial<TextPreferences>) => void,
): MenuEntry[] {
  return [
    {
      kind: "choice",
      label: "Wrap long lines",
      chosen: wrap,
      onSelect: () => change({ wrap: !wrap }),
    },
    {
      kind: "choice",
      label: "Line numbers",
      chosen: lineNumbers,
      onSelect: () => change({ lineNumbers: !lineNumbers }),
    },
  ];
}
