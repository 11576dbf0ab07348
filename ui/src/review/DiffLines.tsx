import { type KeyboardEvent, type ReactElement, useRef, useState } from "react";
import type { DiffHunk } from "@/api/bindings";
import { maxDiffRows } from "@/attempt/DiffView";
import type { DiffRow } from "@/attempt/diffRows";
import { useDiffColors } from "@/attempt/useDiffColors";
import { type LocalCommandId, localCommandFor } from "@/commands/localCommands";
import { Button } from "@/components/Button";
import { formatNumber } from "@/components/formatCount";
import { CommentCard } from "./CommentCard";
import { DiffLineRow } from "./DiffLineRow";
import type { PlacedComment } from "./placeComment";
import { commentedLines } from "./reviewComment";
import type { Review } from "./useReview";

export interface DiffLinesProps {
  path: string;
  head: string;
  hunks: readonly DiffHunk[];
  rows: readonly DiffRow[];
  comments: readonly PlacedComment[];
  /** Missing if the changes can't be commented on. */
  review: Review | undefined;
}

interface Selection {
  anchor: number;
  end: number;
}

/**
 * The lines of a file's change with the comments below them. The arrow keys move between lines,
 * with Shift they select several, and C comments on them.
 */
export function DiffLines(props: DiffLinesProps): ReactElement {
  const { path, head, hunks, rows, comments, review } = props;
  const colors = useDiffColors(path, hunks)?.flatMap((hunk, at) =>
    at > 0 ? [undefined, ...hunk] : hunk,
  );
  const [limit, setLimit] = useState(maxDiffRows);
  const [selection, setSelection] = useState<Selection>({ anchor: 0, end: 0 });
  const elements = useRef(new Map<number, HTMLElement>());
  // A comment is never hidden.
  const count = Math.max(limit, ...comments.map(({ row = 0 }) => row + 1));

  function focusRow(row: number) {
    // The row may be rendered only after this event.
    setTimeout(() => elements.current.get(row)?.focus());
  }

  function select(row: number, extend: boolean) {
    setSelection(({ anchor }) => ({ anchor: extend ? anchor : row, end: row }));
  }

  /** Comments on the selected lines, if the line is one of them, or on the line alone. */
  function comment(row: number) {
    if (!review) return;
    const { anchor, end } = isWithin(selection, row) ? selection : { anchor: row, end: row };
    // Lines of two hunks are not neighbors.
    const lines = commentedLines(rows, anchor, end) ?? commentedLines(rows, row, row);
    if (lines) review.begin({ path, head, ...lines });
    if (review.moving !== undefined) focusRow(row);
  }

  function onKeyDown(event: KeyboardEvent, row: number) {
    const id = localCommandFor("changes", event);
    if (!id) return;
    const step = steps[id];
    if (step) {
      const next = nextRow(rows, row, step, Math.min(count, rows.length));
      if (next === undefined) return;
      select(next, step.extends);
      elements.current.get(next)?.focus();
    } else if (id === "changes_comment" && review) comment(row);
    else if (id === "changes_deselect") {
      review?.move(undefined);
      select(row, false);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows are selected and commented on
        role="grid"
        aria-label={`Changes in ${path}`}
        aria-multiselectable
        className="w-full table-fixed border-collapse bg-canvas font-mono text-12 leading-4.5"
      >
        <colgroup>
          <col className="w-12" />
          <col className="w-10" />
          <col className="w-4" />
          <col />
        </colgroup>
        <tbody>
          {rows.slice(0, count).flatMap((row, at) => {
            const below = comments.filter(({ row: own }) => own === at);
            return [lineRow(row, at), ...below.map((placed) => commentRow(placed, at))];
          })}
        </tbody>
      </table>
      {rows.length > count && (
        <div className="border-t px-3 py-1">
          <Button size="small" onClick={() => setLimit(count + maxDiffRows)}>
            Show {formatNumber(Math.min(maxDiffRows, rows.length - count))} of{" "}
            {formatNumber(rows.length - count)} more lines
          </Button>
        </div>
      )}
    </>
  );

  function lineRow(row: DiffRow, at: number): ReactElement {
    if (row.kind === "gap") {
      return (
        <tr key={`gap-${at}`}>
          <td colSpan={4} className="h-2 border-b border-dashed" />
        </tr>
      );
    }
    return (
      <DiffLineRow
        key={`line-${at}`}
        line={row}
        colors={colors?.[at]}
        isFocusable={at === selection.end}
        isSelected={selection.anchor !== selection.end && isWithin(selection, at)}
        onPress={(extend) => {
          if (extend || !isWithin(selection, at)) select(at, extend);
        }}
        onKeyDown={(event) => onKeyDown(event, at)}
        onComment={review && (() => comment(at))}
        ref={(element) => {
          if (element) elements.current.set(at, element);
          else elements.current.delete(at);
        }}
      />
    );
  }

  function commentRow(placed: PlacedComment, at: number): ReactElement | null {
    if (!review) return null;
    return (
      <tr key={`comment-${placed.comment.id}`}>
        <td colSpan={4} className="px-3 py-1.5">
          <CommentCard placed={placed} review={review} onLeave={() => focusRow(at)} />
        </td>
      </tr>
    );
  }
}

function isWithin({ anchor, end }: Selection, row: number): boolean {
  return row >= Math.min(anchor, end) && row <= Math.max(anchor, end);
}

/** Where a command leads: how many lines further, or to an end. */
interface Step {
  by: 1 | -1;
  toEnd?: boolean;
  extends: boolean;
}

const steps: Partial<Record<LocalCommandId, Step>> = {
  changes_next: { by: 1, extends: false },
  changes_previous: { by: -1, extends: false },
  changes_first: { by: -1, toEnd: true, extends: false },
  changes_last: { by: 1, toEnd: true, extends: false },
  changes_select_next: { by: 1, extends: true },
  changes_select_previous: { by: -1, extends: true },
};

/** Returns the row that a step leads to; undefined at the ends. */
function nextRow(
  rows: readonly DiffRow[],
  row: number,
  { by, toEnd = false }: Step,
  count: number,
): number | undefined {
  // No diff begins or ends with omitted lines.
  if (toEnd) return by > 0 ? count - 1 : 0;
  const next = rows[row + by]?.kind === "gap" ? row + 2 * by : row + by;
  return next >= 0 && next < count ? next : undefined;
}
