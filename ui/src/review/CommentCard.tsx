import type { ReactElement } from "react";
import { Button } from "@/components/Button";
import { classes } from "@/components/classes";
import { Markdown } from "@/components/Markdown";
import { Pill } from "@/components/Pill";
import { CommentEditor } from "./CommentEditor";
import type { PlacedComment } from "./placeComment";
import { describeLines } from "./reviewComment";
import type { Review } from "./useReview";

export interface CommentCardProps {
  placed: PlacedComment;
  review: Review;
  /** Names the file, where no heading above does. */
  namesFile?: boolean;
  /** Gives the focus back to the lines after the card's buttons are gone. */
  onLeave: () => void;
}

/** A comment of the review: its text, or the field in which it is written. */
export function CommentCard(props: CommentCardProps): ReactElement {
  const { placed, review, namesFile = false, onLeave } = props;
  const { comment, outdated } = placed;
  const place = describeLines(comment);
  const isMoving = review.moving === comment.id;
  // The lines are quoted where they are not right above.
  const isApart = placed.row === undefined;
  return (
    <section
      aria-label={`Comment on ${place}`}
      className={classes(
        "flex max-w-200 flex-col gap-2 rounded-control border bg-surface p-2 font-sans text-13",
        isMoving && "border-accent",
      )}
    >
      <div className="flex flex-wrap items-center gap-2 text-12 text-muted">
        {namesFile && (
          <span dir="auto" className="break-all font-mono text-fg">
            {comment.path}
          </span>
        )}
        <span className="first-letter:uppercase">{place}</span>
        {outdated && <Pill tone="danger">Outdated</Pill>}
        {outdated && <span>These lines have changed since you wrote this.</span>}
      </div>
      {isApart && <QuotedLines lines={comment.lines} />}
      {review.editing === comment.id ? (
        <CommentEditor
          label={`Comment on ${place}`}
          text={comment.text}
          onChange={(text) => review.change(comment.id, text)}
          onDone={() => {
            review.finish();
            onLeave();
          }}
          onCancel={() => {
            review.cancel();
            onLeave();
          }}
        />
      ) : (
        <>
          <Markdown text={comment.text} />
          <div className="flex gap-2">
            <Button size="small" onClick={() => review.edit(comment.id)}>
              Edit
            </Button>
            <Button
              size="small"
              aria-pressed={isMoving}
              onClick={() => {
                review.move(isMoving ? undefined : comment.id);
                onLeave();
              }}
            >
              Move
            </Button>
            <Button
              size="small"
              onClick={() => {
                review.remove(comment.id);
                onLeave();
              }}
            >
              Remove
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function QuotedLines({ lines }: { lines: readonly string[] }): ReactElement {
  return (
    <pre className="max-h-40 select-text overflow-auto whitespace-pre-wrap break-words rounded-control border bg-canvas px-2 py-1 font-mono text-12">
      {lines.join("\n")}
    </pre>
  );
}
