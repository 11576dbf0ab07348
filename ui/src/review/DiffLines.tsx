import { type KeyboardEvent, type ReactElement, useRef, useState } from "react";
import type { DiffHunk } from "@/api/bindings";
import { maxDiffRows } from "@/attempt/DiffView";
import type { DiffRow } from "@/attempt/diffRows";
import { useDiffColors } from "@/attempt/useDiffColors";
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

  function comment(to: number, extend: boolean) {
    if (!review) return;
    const from = extend || isWithin(selection, to) ? selection.anchor : to;
    const end = isWithin(selection, to) ? selection.end : to;
    // Lines of two hunks are not neighbors.
    const lines = commentedLines(rows, from, end) ?? commentedLines(rows, to, to);
    if (lines) review.begin({ path, head, ...lines });
    if (review.moving !== undefined) focusRow(to);
  }

  function onKeyDown(event: KeyboardEvent, row: number) {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const next = nextRow(rows, row, key, Math.min(count, rows.length));
    if (next !== undefined) {
      select(next, shiftKey);
      elements.current.get(next)?.focus();
    } else if (key.toLowerCase() === "c" && review) comment(row, shiftKey);
    else if (key === "Escape" && review?.moving !== undefined) review.move(undefined);
    else if (key === "Escape" && selection.anchor !== selection.end) select(row, false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a table can't contain the comments between rows of equal height */}
      <div
        role="grid"
        aria-label={`Changes in ${path}`}
        aria-multiselectable
        className="bg-canvas py-1 font-mono text-12 leading-4.5"
      >
        {rows.slice(0, count).flatMap((row, at) => {
          const shown =
            row.kind === "gap" ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a line
              <div key={`gap-${at}`} className="my-1 border-t border-dashed" />
            ) : (
              <DiffLineRow
                // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a line
                key={`line-${at}`}
                line={row}
                colors={colors?.[at]}
                isFocusable={at === selection.end}
                isSelected={selection.anchor !== selection.end && isWithin(selection, at)}
                onFocus={() => !isWithin(selection, at) && select(at, false)}
                onKeyDown={(event) => onKeyDown(event, at)}
                onComment={review && ((extend) => comment(at, extend))}
                ref={(element) => {
                  if (element) elements.current.set(at, element);
                  else elements.current.delete(at);
                }}
              />
            );
          const below = comments.filter(({ row: own }) => own === at);
          return [shown, ...below.map((placed) => commentRow(placed, at))];
        })}
      </div>
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

  function commentRow(placed: PlacedComment, at: number): ReactElement | null {
    if (!review) return null;
    return (
      <div key={`comment-${placed.comment.id}`} role="row" tabIndex={-1}>
        <div role="gridcell" tabIndex={-1} className="px-3 py-1.5">
          <CommentCard placed={placed} review={review} onLeave={() => focusRow(at)} />
        </div>
      </div>
    );
  }
}

function isWithin({ anchor, end }: Selection, row: number): boolean {
  return row >= Math.min(anchor, end) && row <= Math.max(anchor, end);
}

/** Returns the row that a key leads to; undefined for other keys and at the ends. */
function nextRow(
  rows: readonly DiffRow[],
  row: number,
  key: string,
  count: number,
): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1, Home: 1, End: -1 }[key];
  if (step === undefined) return undefined;
  let next = key === "Home" ? 0 : key === "End" ? count - 1 : row + step;
  while (rows[next]?.kind === "gap") next += step;
  return next >= 0 && next < count ? next : undefined;
}
