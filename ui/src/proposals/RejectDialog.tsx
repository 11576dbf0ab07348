import { type ReactElement, useState } from "react";
import type { RejectionReason } from "@/api/bindings";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { RejectionFields } from "@/components/RejectionFields";
import { TextArea } from "@/components/TextArea";
import { useTextDraft } from "@/shell/useTextDraft";
import type { ProposalActions } from "./useProposalActions";

/**
 * Asks what is wrong with a proposal. The planner receives this and all earlier feedback; whoever
 * submitted one reads it there. The actions forget what was typed once it is sent.
 */
export function RejectDialog({
  act,
  submitted = false,
  acts,
  onClose,
}: {
  act: "reject" | "retry";
  /** Whether a program, an agent or a person submitted it, so that no planner works on it. */
  submitted?: boolean;
  acts: ProposalActions;
  onClose: () => void;
}): ReactElement {
  const [reason, setReason] = useState<RejectionReason | undefined>();
  const [feedback, setFeedback, discard] = useTextDraft(acts.feedbackDraft);

  function leaveWith(done: () => void) {
    done();
    onClose();
  }

  const cancel = <Button onClick={() => leaveWith(discard)}>Cancel</Button>;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={act === "reject" ? "Reject proposal" : "Try again"}
      description={
        submitted
          ? "Whoever submitted it sees your message."
          : "The planner sees your message and the earlier conversation."
      }
      actions={
        act === "reject" ? (
          <>
            {cancel}
            <Button onClick={() => leaveWith(() => acts.reject(reason, feedback.trim(), false))}>
              Reject
            </Button>
            <Button
              kind="primary"
              disabled={!feedback.trim() && reason === undefined}
              onClick={() => leaveWith(() => acts.reject(reason, feedback.trim(), true))}
            >
              {submitted ? "Request changes" : "Reject and try again"}
            </Button>
          </>
        ) : (
          <>
            {cancel}
            <Button kind="primary" onClick={() => leaveWith(() => acts.retry(feedback.trim()))}>
              Try again
            </Button>
          </>
        )
      }
    >
      {act === "reject" ? (
        <RejectionFields
          reason={reason}
          onReason={setReason}
          words={feedback}
          onWords={setFeedback}
        />
      ) : (
        <TextArea
          label="Instructions for this attempt"
          autoFocus
          value={feedback}
          onChange={setFeedback}
        />
      )}
    </Dialog>
  );
}
