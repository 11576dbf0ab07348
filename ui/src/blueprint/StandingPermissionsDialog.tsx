import type { ReactElement } from "react";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { formatGrant } from "@/pending/permissionText";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";

/** Before an approval, lists the permissions that apply to the whole blueprint. */
export function StandingPermissionsDialog(): ReactElement {
  const { page, runs } = useBlueprint();
  const standing = usePage((state) => state.standingGrants);
  const nodes = useEditor((state) => state.plan.nodes);

  return (
    <ConfirmDialog
      open={standing !== undefined}
      onOpenChange={(open) => {
        if (!open) page.setState({ standingGrants: undefined });
      }}
      title="Approve with these permissions?"
      confirmLabel="Approve"
      destructive={false}
      onConfirm={() => void runs.approve()}
    >
      <p>Allowed in every node without asking:</p>
      <ul className="mt-1 flex list-disc flex-col gap-1 ps-4">
        {standing?.map(({ grant, givenIn }) => {
          const node = nodes.find(({ id }) => id === givenIn);
          return (
            <li key={formatGrant(grant)} dir="auto" className="select-text break-words">
              <code className="whitespace-pre-wrap break-all text-12 text-fg">
                {formatGrant(grant)}
              </code>
              {node && ` (allowed in “${node.title}”)`}
            </li>
          );
        })}
      </ul>
      <p className="mt-2">To be asked again, revoke them in the blueprint's settings first.</p>
    </ConfirmDialog>
  );
}
