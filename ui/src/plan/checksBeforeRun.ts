import type { Backend } from "@/api/Backend";
import type { ApprovalChangesView, PlanView, Preflight } from "@/api/bindings";
import { lacksApproval } from "@/components/approvalText";
import { isChangedSinceApproval } from "./sinceApprovalText";

/** What is read before a run starts. */
export interface ChecksBeforeRun {
  preflight: Preflight;
  /** Undefined if they weren't needed, or couldn't be read: the dialog reads them then. */
  changes: ApprovalChangesView | undefined;
}

/**
 * Reads the checks and, if the run could start without a question, what has changed since the
 * approval. Both at the same time, because both ask git and the agents' programs.
 */
export async function readChecksBeforeRun(
  backend: Pick<Backend, "call">,
  plan: string,
  mayStart: boolean,
): Promise<ChecksBeforeRun> {
  const [preflight, changes] = await Promise.all([
    backend.call("plan_preflight", { plan }),
    mayStart ? backend.call("approval_changes", { plan }).catch(() => undefined) : undefined,
  ]);
  return { preflight, changes };
}

/** Whether a blueprint was approved and has run, so that only the checks decide about a question. */
export function ranApproved({ review, lastRun }: Pick<PlanView, "review" | "lastRun">): boolean {
  return review === "approved" && lastRun !== null;
}

/**
 * Whether a run may start without showing anything: it has run before, all checks pass, and
 * nothing has changed since the approval.
 */
export function isClearToRun(
  view: Pick<PlanView, "review" | "lastRun">,
  { preflight, changes }: ChecksBeforeRun,
): boolean {
  return (
    ranApproved(view) &&
    !lacksApproval(view, preflight) &&
    preflight.mayRun &&
    changes !== undefined &&
    !isChangedSinceApproval(changes)
  );
}
