import { Check as CheckMark, CircleAlert, TriangleAlert } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { CheckVerdict, PlanView, Preflight } from "@/api/bindings";
import { paths } from "@/app/paths";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { Dialog } from "@/components/Dialog";

const icons: Record<CheckVerdict, ReactElement> = {
  failed: <CircleAlert className="text-danger-fg" aria-label="Failed" />,
  warning: <TriangleAlert className="text-state-waiting" aria-label="Warning" />,
  passed: <CheckMark className="text-state-done" aria-label="Passed" />,
};

/** What stands between a blueprint and its run, asked from the list. */
export function RunDialog({
  view,
  preflight: { checks, mayRun },
  onClose,
  onConfirm,
}: {
  view: PlanView;
  preflight: Preflight;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}): ReactElement {
  const [busy, setBusy] = useState(false);

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
          ? "Nodes run as processes on this machine, with your rights, in the plan's directory."
          : "Mend what failed, then run it again. Nothing has been started."
      }
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {mayRun ? (
            <Button kind="primary" busy={busy} onClick={confirm}>
              {view.review === "approved" ? "Run" : "Approve and run"}
            </Button>
          ) : (
            <ButtonLink kind="primary" to={paths.blueprint(view.plan.id)}>
              Open blueprint
            </ButtonLink>
          )}
        </>
      }
    >
      <ul className="flex flex-col gap-2">
        {checks.map((check) => (
          <li key={`${check.sentence} ${check.node ?? ""}`} className="flex items-start gap-2">
            <span className="mt-0.5 shrink-0 [&>svg]:size-4">{icons[check.verdict]}</span>
            <div className="min-w-0 flex-1 select-text break-words">
              {check.sentence}
              {check.mend !== null && <p className="text-muted">{check.mend}</p>}
            </div>
          </li>
        ))}
        {checks.length === 0 && <li className="text-muted">There is nothing to object to.</li>}
      </ul>
    </Dialog>
  );
}
