import type { ReactElement } from "react";
import type { NodeDiffView, NodeId, NodeReview, RunId } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { formatCount } from "@/components/formatCount";
import { TextArea } from "@/components/TextArea";
import { showToast } from "@/components/toasts";
import type { PlacedComment } from "./placeComment";
import type { Review } from "./useReview";

export interface SendReviewDialogProps {
  run: RunId;
  node: NodeId;
  agent: string;
  diff: NodeDiffView;
  placed: readonly PlacedComment[];
  review: Review;
  open: boolean;
  onClose: () => void;
  onSent: () => void;
}

/** Asks for a summary, and sends all comments as one message. */
export function SendReviewDialog(props: SendReviewDialogProps): ReactElement {
  const { run, node, agent, diff, placed, review, open, onClose, onSent } = props;
  const send = useMutationOperation("node_review");
  const outdated = placed.filter((comment) => comment.outdated).length;

  function close() {
    send.reset();
    onClose();
  }

  function onSend() {
    // The keyboard can press a busy button's shortcut again.
    if (send.isPending) return;
    const { base, head, session } = diff;
    const comments = placed.map(toLineComment);
    const input: NodeReview = {
      run,
      node,
      session,
      review: { base, head, text: review.text, comments },
    };
    send.mutate(input, {
      onSuccess: () => {
        review.clear();
        close();
        showToast({ kind: "info", title: `Review sent to ${agent}` });
        onSent();
      },
    });
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={`Send ${formatCount(placed.length, "comment")} to ${agent}`}
      description="A new attempt of the node continues its session with one message. Its handoff replaces the previous one, and finished nodes that depend on it become stale."
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" busy={send.isPending} onClick={onSend}>
            Send review
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        <TextArea
          label="Summary (optional)"
          dir="auto"
          value={review.text}
          onChange={review.setText}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSend();
          }}
          error={send.error?.message}
        />
        {outdated > 0 && (
          <p className="text-muted">
            {formatCount(outdated, "outdated comment")} will be sent with the lines as they were.
          </p>
        )}
      </div>
    </Dialog>
  );
}

function toLineComment({ comment, outdated }: PlacedComment) {
  const { path, old, new: after, lines, text, head } = comment;
  return { path, old, new: after, lines, text: text.trim(), ...(outdated && { outdated: head }) };
}
