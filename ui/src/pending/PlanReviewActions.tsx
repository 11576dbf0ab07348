import { type ReactElement, useState } from "react";
import type { PlanId } from "@/api/bindings";
import { ActionRow } from "./ActionRow";
import { RejectPlanDialog } from "./RejectPlanDialog";
import { type OnDone, useAction } from "./useAction";
import { YesNoButtons } from "./YesNoButtons";

interface PlanReviewActionsProps {
  plan: PlanId;
  /** The revision that the item is about. */
  revision: number;
  needsReview: boolean;
  title: string;
  onDone: OnDone;
}

/** Buttons that approve or reject a blueprint that was submitted for review. */
export function PlanReviewActions({
  plan,
  revision,
  needsReview,
  title,
  onDone,
}: PlanReviewActionsProps): ReactElement {
  const [rejecting, setRejecting] = useState(false);
  const approve = useAction("plan_approve", onDone);
  return (
    <ActionRow error={approve.error} lead="Couldn't approve the blueprint.">
      <YesNoButtons
        yes="Approve"
        no="Reject"
        commits
        sending={approve.isPending || undefined}
        onAnswer={(yes) =>
          yes
            ? approve.act({ plan, revision, anyway: false }, `${title} was approved`)
            : setRejecting(true)
        }
      />
      {rejecting && (
        <RejectPlanDialog
          {...{ plan, revision, needsReview }}
          onClose={() => setRejecting(false)}
          onRejected={() => onDone?.(`${title} was rejected`)}
        />
      )}
    </ActionRow>
  );
}
