import type { ReviewState } from "@/api/bindings";

/** The labels of a plan's review states. */
export const reviewLabels: Record<ReviewState, string> = {
  draft: "Draft",
  proposed: "Proposed",
  approved: "Approved",
  rejected: "Rejected",
  needs_review: "Needs review",
  cancelled: "Withdrawn",
};
