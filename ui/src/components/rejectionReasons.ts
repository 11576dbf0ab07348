import type { RejectionReason } from "@/api/bindings";

/** The labels of reasons for a rejection, in the order of the list. */
export const rejectionReasonLabels: Record<RejectionReason, string> = {
  wrong_goal: "Wrong goal",
  too_big: "Too big",
  missing_check: "Missing check",
  wrong_order: "Wrong order",
  wrong_agent: "Wrong agent",
  risk: "Risk",
  other: "Other",
};
