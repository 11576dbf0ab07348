import type { ReactElement } from "react";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { InlineCodeText } from "@/components/InlineCodeText";
import { toSentence } from "@/components/toSentence";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { RisksAndContext } from "@/plan/RisksAndContext";

/** Lists why a plan can't run, and offers to approve it anyway. */
export function ApproveAnywayDialog(): ReactElement {
  const { page, runs } = useBlueprint();
  const reasons = usePage((state) => state.refusedApproval);
  const plan = useEditor((state) => state.plan);

  return (
    <ConfirmDialog
      open={reasons !== undefined}
      onOpenChange={(open) => {
        if (!open) page.setState({ refusedApproval: undefined });
      }}
      title="Approve a blueprint that can't run?"
      confirmLabel="Approve anyway"
      destructive={false}
      onConfirm={() => void runs.approve(true)}
    >
      <ul className="flex list-disc flex-col gap-1 ps-4">
        {reasons?.map((reason) => (
          <li key={reason} dir="auto" className="select-text break-words">
            <InlineCodeText>{toSentence(reason)}</InlineCodeText>
          </li>
        ))}
      </ul>
      <p className="mt-2">It won't start until this is fixed.</p>
      <div className="mt-3 border-t pt-3 empty:hidden">
        <RisksAndContext plan={plan} />
      </div>
    </ConfirmDialog>
  );
}
