import { type ReactElement, useState } from "react";
import type { NodeDiffView, NodeId, RunId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { formatCount } from "@/components/formatCount";
import { showToast } from "@/components/toasts";
import { toSentence } from "@/components/toSentence";
import type { PlacedComment } from "./placeComment";
import { SendReviewDialog } from "./SendReviewDialog";
import type { Review } from "./useReview";

export interface ReviewBarProps {
  run: RunId;
  node: NodeId;
  agent: string;
  isLatest: boolean;
  diff: NodeDiffView;
  /** The comments in the order of the diff. */
  placed: readonly PlacedComment[];
  review: Review;
  onSent: () => void;
}

/** The comments that will be sent together, below the changes. */
export function ReviewBar(props: ReviewBarProps): ReactElement {
  const { run, node, agent, isLatest, diff, placed, review, onSent } = props;
  const [isSending, setSending] = useState(false);
  const reach = useOperation("session_reach", { session: diff.session, transcript: null });
  const refusal = isLatest
    ? (reach.data?.cannotContinue ?? undefined)
    : "The node has a later attempt: show it to send the review";
  const outdated = placed.filter((comment) => comment.outdated).length;
  const isEmpty = placed.length === 0;

  function discard() {
    const { text, comments } = review;
    review.clear();
    showToast({
      kind: "info",
      title: "Review discarded",
      action: { label: "Undo", onAct: () => review.replace({ text, comments }) },
    });
  }

  return (
    <section
      aria-label="Review"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-t bg-surface px-4 py-2 text-12"
    >
      <p role="status" className="font-medium">
        {review.moving === undefined
          ? countText(placed.length, outdated)
          : "Choose another line for the comment: press C on it, or Escape to keep its place."}
      </p>
      {isEmpty && review.moving === undefined && (
        <p className="text-muted">Press C on a line, or the plus sign beside it, to comment.</p>
      )}
      {review.isUnsaved && (
        <p role="alert" className="text-danger-fg">
          The browser has no room to keep this review. Send it before you close the page.
        </p>
      )}
      {!isEmpty && refusal !== undefined && <p className="text-muted">{toSentence(refusal)}</p>}
      <span className="ml-auto flex gap-2">
        {!isEmpty && (
          <Button size="small" onClick={discard}>
            Discard
          </Button>
        )}
        <Button
          size="small"
          kind="primary"
          disabled={isEmpty || refusal !== undefined || review.editing !== undefined}
          onClick={() => setSending(true)}
        >
          Send to {agent}…
        </Button>
      </span>
      <SendReviewDialog
        {...{ run, node, agent, diff, placed, review }}
        open={isSending}
        onClose={() => setSending(false)}
        onSent={onSent}
      />
    </section>
  );
}

function countText(comments: number, outdated: number): string {
  const text = comments === 0 ? "No comments" : formatCount(comments, "comment");
  return outdated === 0 ? text : `${text}, ${outdated} outdated`;
}
