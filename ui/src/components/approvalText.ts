import type { ApprovalView, PlanView, Preflight } from "@/api/bindings";
import { describeActor } from "./actor";
import { formatCount } from "./formatCount";
import { formatDateTime } from "./time";

/** Whether a person has to approve the plan before it runs, for the first time or again. */
export function lacksApproval(
  { review }: Pick<PlanView, "review">,
  { needsApproval }: Pick<Preflight, "needsApproval">,
): boolean {
  return review !== "approved" || needsApproval;
}

/**
 * Describes who approved a version, and when: "approved by you, in the window, May 3, 2026, 14:02:00 UTC".
 */
export function describeApprover({ actor, at }: Pick<ApprovalView, "actor" | "at">): string {
  const { who, channel } = describeActor(actor);
  const by = [who === "You" ? "you" : who, channel, formatDateTime(at)].filter(Boolean);
  return `approved by ${by.join(", ")}`;
}

/**
 * Describes who approved the blueprint and what that covers; `undefined` when it isn't approved.
 */
export function describeApproval(
  view: Pick<PlanView, "approval" | "approvedVersion" | "version">,
): string | undefined {
  const { approval, approvedVersion, version } = view;
  if (approvedVersion === null) return undefined;
  const earlier = approvedVersion === version ? "" : `Version ${approvedVersion} `;
  if (!approval) return begin(`${earlier}approved before Baton recorded approvals`);
  const files =
    approval.files.length === 0
      ? "plan and criteria"
      : `plan, criteria and ${formatCount(approval.files.length, "file")}`;
  return begin(`${earlier}${describeApprover(approval)} · covers ${files}`);
}

function begin(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
