import { type ReactElement, useRef, useState } from "react";
import type { ApprovalChangesView, PlanView, Preflight } from "@/api/bindings";
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
  changes,
  onClose,
  onConfirm,
  onCheckAgain,
  onShow,
}: {
  view: PlanView;
  preflight: Preflight;
  /** What has changed since the approval, if that was read before the question. */
  changes: ApprovalChangesView | undefined;
  onClose: () => void;
  onConfirm: () => Promise<void>;
  onCheckAgain: () => Promise<void>;
  /** Goes to the place that a check is about. */
  onShow: (address: string) => void;
}): ReactElement {
  const [busy, setBusy] = useState(false);
  const main = useRef<HTMLButtonElement>(null);
  const { checks, mayRun } = preflight;

  function whileBusy(work: Promise<void>) {
    setBusy(true);
    void work.finally(() => setBusy(false));
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      focusFirst={() => main.current}
      title={mayRun ? "Ready to run" : "Not ready to run"}
      description={
        mayRun
          ? "Nodes run as processes on this machine, with your user's permissions, in the blueprint's directory."
          : "Fix what failed, then check again. Nothing has started yet."
      }
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {mayRun ? (
            <Button
              ref={main}
              kind="primary"
              busy={busy}
              // The key that opened the dialog may still be held down, which must not approve.
              onKeyDown={(event) => event.repeat && event.preventDefault()}
              onClick={() => whileBusy(onConfirm())}
            >
              {lacksApproval(view, preflight) ? "Approve and run" : "Run"}
            </Button>
          ) : (
            <>
              <ButtonLink to={paths.blueprint(view.plan.id)}>Open blueprint</ButtonLink>
              <Button
                ref={main}
                kind="primary"
                busy={busy}
                onClick={() => whileBusy(onCheckAgain())}
              >
                Check again
              </Button>
            </>
          )}
        </>
      }
    >
      <CheckList
        checks={checks}
        onShowNode={(node) => onShow(paths.blueprintNode(view.plan.id, node))}
        onShowSettings={() => onShow(paths.blueprintSettings(view.plan.id))}
        onCheckAgain={() => whileBusy(onCheckAgain())}
      />
      <div className="mt-3 border-t pt-3 empty:hidden">
        <SinceApproval view={view} found={changes} />
      </div>
    </Dialog>
  );
}
