import { type ReactElement, useState } from "react";
import { describeApproval } from "@/components/approvalText";
import { Button } from "@/components/Button";
import { Switch } from "@/components/Switch";
import { describeUnrestrictedTools } from "@/components/unrestrictedTools";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { useRunDefaults } from "@/plan/runDefaults";
import { SinceApproval } from "@/plan/SinceApproval";

/** Who approved the blueprint, which files that covers, and whether agents may start it. */
export function ApprovalFields(): ReactElement {
  const { runs } = useBlueprint();
  const view = useEditor((state) => state.view);
  const [busy, setBusy] = useState(false);
  const plan = useEditor((state) => state.plan);
  const defaults = useRunDefaults();
  const anyTool = describeUnrestrictedTools(plan, plan.settings.autonomy ?? defaults.autonomy);
  const files = view.approval?.files ?? [];
  return (
    <section aria-label="Approval" className="flex flex-col gap-2">
      <h3 className="font-medium text-12">Approval</h3>
      <p className="select-text text-12 text-muted">
        {describeApproval(view) ?? "Not approved yet"}
      </p>
      {anyTool && (
        <p dir="auto" className="select-text break-words text-12 text-muted">
          {anyTool}
        </p>
      )}
      {files.length > 0 && (
        <ul aria-label="Files that the approval covers" className="flex flex-col gap-0.5">
          {files.map((file) => (
            <li key={file} dir="auto" className="select-text break-words font-mono text-12">
              {file}
            </li>
          ))}
        </ul>
      )}
      <SinceApproval view={view} />
      {view.review === "approved" && (
        <div>
          <Button
            size="small"
            busy={busy}
            onClick={() => {
              setBusy(true);
              void runs.approve().finally(() => setBusy(false));
            }}
          >
            Approve again
          </Button>
        </div>
      )}
      <Switch
        label="Let agents start the approved version"
        hint="Agent sessions can start the approved version. When off, they ask you in the Inbox. New versions always need your approval."
        checked={view.agentsMayStart}
        onChange={(allowed) => void runs.letAgentsStart(allowed)}
      />
    </section>
  );
}
