import type { ReviewState } from "@/api/bindings";

/** The review of a plan in a word. */
export const reviewLabels: Record<ReviewState, string> = {
  draft: "Draft",
  proposed: "Proposed",
  approved: "Approved",
  rejected: "Rejected",
  needs_review: "Needs review",
  cancelled: "Cancelled",
};
