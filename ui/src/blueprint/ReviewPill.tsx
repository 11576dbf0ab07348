import { Popover } from "radix-ui";
import { type ReactElement, useState } from "react";
import type { PlanView, ReviewState } from "@/api/bindings";
import { describeApproval } from "@/components/approvalText";
import { Pill } from "@/components/Pill";
import { reviewLabels } from "@/components/reviewLabels";
import { Tooltip } from "@/components/Tooltip";
import { useEditor } from "@/plan/editor";
import { SinceApproval } from "@/plan/SinceApproval";

const notes: Record<ReviewState, string> = {
  draft: "Draft. Approve it to run it.",
  proposed: "Submitted and waiting for your approval.",
  approved: "Any edit other than layout makes it a draft again.",
  rejected: "Rejected. Edit it, then approve it.",
  needs_review: "Rejected several times. It needs your attention.",
  cancelled: "Withdrawn.",
};

/**
 * The review state of the plan, which opens what has changed since the approval. Editing an
 * approved plan makes it a draft.
 */
export function ReviewPill(): ReactElement {
  const view = useEditor((state) => state.view);
  const [open, setOpen] = useState(false);
  const { review, approvedVersion } = view;
  const edited = review === "draft" && approvedVersion !== null;
  const note = noteOn(view, edited);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Tooltip content={note}>
        <Popover.Trigger className="cursor-default rounded-full hover:opacity-80">
          <Pill tone={review === "approved" ? "accent" : "neutral"}>
            {edited ? "Draft, edited since approval" : reviewLabels[review]}
          </Pill>
        </Popover.Trigger>
      </Tooltip>
      <Popover.Portal>
        <Popover.Content
          aria-label="Approval"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-h-[min(24rem,var(--radix-popover-content-available-height))] w-96 max-w-[calc(100vw-16px)] flex-col gap-2 overflow-auto rounded-card bg-overlay p-3 text-12 shadow-float outline-none"
        >
          <p className="select-text break-words text-muted">{note}</p>
          <SinceApproval view={view} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function noteOn(view: PlanView, edited: boolean): string {
  if (edited) {
    return `Version ${view.approvedVersion} was approved and has been edited since. Approve the changes to run them.`;
  }
  const approval = view.review === "approved" && describeApproval(view);
  return [approval, notes[view.review]].filter(Boolean).join(". ");
}
