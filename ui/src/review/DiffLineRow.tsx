import { Plus } from "lucide-react";
import type { KeyboardEvent, ReactElement, Ref } from "react";
import { diffLineLooks } from "@/attempt/diffLineLook";
import type { DiffLine } from "@/attempt/diffRows";
import { CodeLine } from "@/components/CodeText";
import { classes } from "@/components/classes";
import type { CodeSpan } from "@/components/codeHighlighter";

const kinds = { same: "Line", added: "Added line", removed: "Removed line" } as const;

export interface DiffLineRowProps {
  line: DiffLine;
  colors: readonly CodeSpan[] | undefined;
  /** One line of a diff is in the tab order. */
  isFocusable: boolean;
  isSelected: boolean;
  /** The pointer is pressed on it, with `extend` to select all lines since the former one. */
  onPress: (extend: boolean) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onComment: (() => void) | undefined;
  ref: Ref<HTMLTableRowElement>;
}

/** One line of a diff with its numbers before and after, and a button to comment on it. */
export function DiffLineRow(props: DiffLineRowProps): ReactElement {
  const { line, colors, isFocusable, isSelected, onPress, onKeyDown, onComment, ref } = props;
  const look = diffLineLooks[line.kind];
  const name = `${kinds[line.kind]} ${line.newLine ?? line.oldLine}`;
  return (
    <tr
      ref={ref}
      aria-selected={isSelected}
      tabIndex={isFocusable ? 0 : -1}
      onMouseDown={(event) => {
        // The browser would select the text between the lines.
        if (event.shiftKey) event.preventDefault();
        onPress(event.shiftKey);
      }}
      onKeyDown={(event) => event.target === event.currentTarget && onKeyDown(event)}
      className={classes(
        "group/line scroll-my-10 align-top focus-visible:-outline-offset-2",
        look.tint,
      )}
    >
      <td
        className={classes(
          "relative pr-2 text-right text-11 text-faint tabular-nums",
          isSelected && "shadow-[inset_3px_0_var(--accent)]",
        )}
      >
        <span aria-hidden="true">{line.oldLine}</span>
        {onComment && (
          <button
            type="button"
            tabIndex={-1}
            title="Comment (C)"
            aria-label={`Comment on ${name.toLowerCase()}`}
            onClick={onComment}
            className="absolute top-0 left-0.5 flex size-4.5 items-center justify-center rounded-small bg-accent text-on-accent opacity-0 hover:bg-accent-hover focus-visible:opacity-100 group-hover/line:opacity-100 group-focus/line:opacity-100"
          >
            <Plus aria-hidden="true" className="size-3.5" />
          </button>
        )}
      </td>
      <td className="pr-2 text-right text-11 text-faint tabular-nums">
        <span aria-hidden="true">{line.newLine}</span>
      </td>
      <td className={classes("text-center", look.signHue)}>
        <span aria-hidden="true">{look.sign}</span>
        <span className="sr-only">{name}</span>
      </td>
      <td className="select-text whitespace-pre-wrap break-words pr-2">
        {colors && colors.length > 0 ? <CodeLine spans={colors} /> : line.text || " "}
      </td>
    </tr>
  );
}
