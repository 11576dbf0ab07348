import { type ReactElement, useState } from "react";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { TextArea } from "@/components/TextArea";
import type { ProposalActions } from "./useProposalActions";

/** Asks what is wrong with a proposal. The planner receives this and all earlier feedback. */
export function RejectDialog({
  act,
  acts,
  onClose,
}: {
  act: "reject" | "retry";
  acts: ProposalActions;
  onClose: () => void;
}): ReactElement {
  const [feedback, setFeedback] = useState("");

  function leaveWith(done: () => void) {
    done();
    onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={act === "reject" ? "Reject proposal" : "Try again"}
      description="The planner sees your message and the earlier conversation."
      actions={
        act === "reject" ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button onClick={() => leaveWith(() => acts.reject(feedback.trim(), false))}>
              Reject
            </Button>
            <Button
              kind="primary"
              disabled={!feedback.trim()}
              onClick={() => leaveWith(() => acts.reject(feedback.trim(), true))}
            >
              Reject and try again
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" onClick={() => leaveWith(() => acts.retry(feedback.trim()))}>
              Try again
            </Button>
          </>
        )
      }
    >
      <TextArea
        label={act === "reject" ? "What's wrong with it?" : "Instructions for this attempt"}
        autoFocus
        value={feedback}
        onChange={setFeedback}
      />
    </Dialog>
  );
}
