import type { ReactElement } from "react";
import type { ReviewState } from "@/api/bindings";
import { approvalWords } from "@/components/approvalWords";
import { Pill } from "@/components/Pill";
import { reviewWords } from "@/components/reviewWords";
import { Tooltip } from "@/components/Tooltip";
import { useEditor } from "@/plan/editor";

const notes: Record<ReviewState, string> = {
  draft: "Being written. Approve it to run it.",
  proposed: "Handed in, and waits for your approval.",
  approved: "Editing more than the layout makes it a draft again.",
  rejected: "Rejected. Edit it, then approve it.",
  needs_review: "Rejected several times: somebody has to look.",
  cancelled: "Withdrawn.",
};

/** Whether the plan may run. An approved plan that was just edited is a draft from that edit on. */
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
          : [review === "approved" && approvalWords(view), notes[review]].filter(Boolean).join(". ")
      }
    >
      <button type="button" className="cursor-default rounded-full">
        <Pill tone={review === "approved" ? "accent" : "neutral"}>
          {edited ? "Draft, edited since approval" : reviewWords[review]}
        </Pill>
      </button>
    </Tooltip>
  );
}
