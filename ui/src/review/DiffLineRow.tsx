import { Plus } from "lucide-react";
import type { KeyboardEvent, ReactElement, Ref } from "react";
import type { DiffLine } from "@/attempt/diffRows";
import { CodeLine } from "@/components/CodeText";
import { classes } from "@/components/classes";
import type { CodeSpan } from "@/components/codeHighlighter";

const tints = {
  same: "",
  added: "bg-state-done-tint",
  removed: "bg-state-failed-tint",
} as const;
const signs = { same: " ", added: "+", removed: "−" } as const;
const signHues = { same: "", added: "text-state-done", removed: "text-state-failed" } as const;
const kinds = { same: "Line", added: "Added line", removed: "Removed line" } as const;

export interface DiffLineRowProps {
  line: DiffLine;
  colors: readonly CodeSpan[] | undefined;
  /** One line of a diff is in the tab order. */
  isFocusable: boolean;
  isSelected: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Comments on the line, or with `extend` on all since the selected one. */
  onComment: ((extend: boolean) => void) | undefined;
  ref: Ref<HTMLDivElement>;
}

/** One line of a diff with its numbers before and after, and a button to comment on it. */
export function DiffLineRow(props: DiffLineRowProps): ReactElement {
  const { line, colors, isFocusable, isSelected, onFocus, onKeyDown, onComment, ref } = props;
  const name = `${kinds[line.kind]} ${line.newLine ?? line.oldLine}`;
  return (
    <div
      ref={ref}
      role="row"
      aria-selected={isSelected}
      tabIndex={isFocusable ? 0 : -1}
      onFocus={onFocus}
      onKeyDown={(event) => event.target === event.currentTarget && onKeyDown(event)}
      className={classes(
        "group/line relative grid scroll-mt-10 grid-cols-[--spacing(12)_--spacing(10)_--spacing(4)_minmax(0,1fr)] focus-visible:-outline-offset-2",
        tints[line.kind],
        isSelected && "shadow-[inset_3px_0_var(--accent)]",
      )}
    >
      <LineNumber value={line.oldLine} />
      <LineNumber value={line.newLine} />
      <span role="gridcell" className={classes("text-center", signHues[line.kind])}>
        <span aria-hidden="true">{signs[line.kind]}</span>
        <span className="sr-only">{name}</span>
      </span>
      <span role="gridcell" className="select-text whitespace-pre-wrap break-words pr-2">
        {colors && colors.length > 0 ? <CodeLine spans={colors} /> : line.text || " "}
      </span>
      {onComment && (
        <span
          role="gridcell"
          className="absolute top-0 left-0.5 opacity-0 focus-within:opacity-100 group-hover/line:opacity-100 group-focus/line:opacity-100"
        >
          <button
            type="button"
            tabIndex={-1}
            title="Comment (C)"
            aria-label={`Comment on ${name.toLowerCase()}`}
            onClick={(event) => onComment(event.shiftKey)}
            className="flex size-4.5 items-center justify-center rounded-small bg-accent text-on-accent hover:bg-accent-hover"
          >
            <Plus aria-hidden="true" className="size-3.5" />
          </button>
        </span>
      )}
    </div>
  );
}

function LineNumber({ value }: { value: number | undefined }): ReactElement {
  return (
    <span
      role="gridcell"
      aria-hidden="true"
      className="pr-2 text-right text-11 text-faint tabular-nums"
    >
      {value}
    </span>
  );
}
