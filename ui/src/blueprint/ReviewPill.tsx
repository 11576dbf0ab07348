import type { ReactElement } from "react";
import type { ReviewState } from "@/api/bindings";
import { describeApproval } from "@/components/approvalText";
import { Pill } from "@/components/Pill";
import { reviewLabels } from "@/components/reviewLabels";
import { Tooltip } from "@/components/Tooltip";
import { useEditor } from "@/plan/editor";

const notes: Record<ReviewState, string> = {
  draft: "Draft. Approve it to run it.",
  proposed: "Submitted and waiting for your approval.",
  approved: "Any edit other than layout makes it a draft again.",
  rejected: "Rejected. Edit it, then approve it.",
  needs_review: "Rejected several times. It needs your attention.",
  cancelled: "Withdrawn.",
};

/** The review state of the plan. Editing an approved plan makes it a draft. */
export function ReviewPill(): ReactElement {
  const review = useEditor((state) => state.view.review);
  const view = useEditor((state) => state.view);
  const { approvedVersion } = view;
  const edited = review === "draft" && approvedVersion !== null;
  return (
    <Tooltip
      content={
        edited
          ? `Version ${approvedVersion} was approved and has been edited since. Approve the changes to run them.`
          : [review === "approved" && describeApproval(view), notes[review]]
              .filter(Boolean)
              .join(". ")
      }
    >
      <button type="button" className="cursor-default rounded-full">
        <Pill tone={review === "approved" ? "accent" : "neutral"}>
          {edited ? "Draft, edited since approval" : reviewLabels[review]}
        </Pill>
      </button>
    </Tooltip>
  );
}
