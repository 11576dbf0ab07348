import { BadgeCheck } from "lucide-react";
import type { ReactElement } from "react";
import type { ApprovalView } from "@/api/bindings";
import { describeApprover } from "@/components/approvalText";

/** Marks an approved version. `named` repeats its number, where the line shows several versions. */
export function ApprovedMark({
  version,
  approval,
  named = false,
}: {
  version: number;
  approval: ApprovalView;
  named?: boolean;
}): ReactElement {
  return (
    <span
      title={`Version ${version} ${describeApprover(approval)}`}
      className="flex shrink-0 items-center gap-1 text-12 text-state-done tabular-nums"
    >
      <BadgeCheck aria-hidden="true" className="size-4" />
      {named ? `v${version} approved` : "Approved"}
    </span>
  );
}
