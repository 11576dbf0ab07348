import { type ReactElement, useState } from "react";
import type { PlanView, Preflight } from "@/api/bindings";
import { lacksApproval } from "@/components/approvalText";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { CheckList } from "@/components/CheckList";
import { Dialog } from "@/components/Dialog";
import { SinceApproval } from "@/plan/SinceApproval";
import { paths } from "@/shell/paths";

/** Shows the pre-flight checks before a run that is started from the list. */
export function RunDialog({
  view,
  preflight,
  onClose,
  onConfirm,
}: {
  view: PlanView;
  preflight: Preflight;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}): ReactElement {
  const [busy, setBusy] = useState(false);
  const { checks, mayRun } = preflight;

  function confirm() {
    setBusy(true);
    void onConfirm().finally(() => setBusy(false));
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={mayRun ? "Ready to run" : "Not ready to run"}
      description={
        mayRun
          ? "Nodes run as processes on this machine, with your user's permissions, in the blueprint's directory."
          : "Fix what failed, then run it again. Nothing has started yet."
      }
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {mayRun ? (
            <Button kind="primary" busy={busy} onClick={confirm}>
              {lacksApproval(view, preflight) ? "Approve and run" : "Run"}
            </Button>
          ) : (
            <ButtonLink kind="primary" to={paths.blueprint(view.plan.id)}>
              Open blueprint
            </ButtonLink>
          )}
        </>
      }
    >
      <CheckList checks={checks} />
      <div className="mt-3 border-t pt-3 empty:hidden">
        <SinceApproval view={view} />
      </div>
    </Dialog>
  );
}
