import { type ReactElement, useState } from "react";
import type { PlanId, RejectionReason } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { RejectionFields } from "@/components/RejectionFields";
import { useTextDraft } from "@/shell/useTextDraft";
import { ActionRow } from "./ActionRow";

export interface RejectPlanDialogProps {
  plan: PlanId;
  /** The revision that the person saw. */
  revision: number;
  /** Whether it was rejected three times already, so that the next rejection is final. */
  needsReview: boolean;
  onClose: () => void;
  onRejected?: (() => void) | undefined;
}

/** Rejects a blueprint that waits for review, with a reason and words for whoever submitted it. */
export function RejectPlanDialog({
  plan,
  revision,
  needsReview,
  onClose,
  onRejected,
}: RejectPlanDialogProps): ReactElement {
  const [reason, setReason] = useState<RejectionReason | undefined>();
  const [words, setWords, discard] = useTextDraft(`rejection/${plan}`);
  const reject = useMutationOperation("plan_reject");
  const send = () =>
    reject.mutate(
      { plan, baseRevision: revision, reason: reason ?? null, feedback: words.trim() },
      {
        onSuccess: () => {
          discard();
          onClose();
          onRejected?.();
        },
      },
    );
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Reject blueprint"
      description={
        needsReview
          ? "It was rejected three times already."
          : "Whoever submitted it sees your reason. After the third rejection, only a person can submit it again."
      }
      actions={
        <>
          <Button
            onClick={() => {
              discard();
              onClose();
            }}
          >
            Cancel
          </Button>
          <Button kind="primary" busy={reject.isPending} onClick={send}>
            Reject
          </Button>
        </>
      }
    >
      <RejectionFields reason={reason} onReason={setReason} words={words} onWords={setWords} />
      <ActionRow error={reject.error?.message} lead="Couldn't reject the blueprint.">
        {null}
      </ActionRow>
    </Dialog>
  );
}
