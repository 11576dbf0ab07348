import { type ReactElement, useRef, useState } from "react";
import { lacksApproval } from "@/components/approvalText";
import { Button } from "@/components/Button";
import { CheckList } from "@/components/CheckList";
import { Dialog } from "@/components/Dialog";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import type { RunRequest } from "@/plan/page";
import { RisksAndContext } from "@/plan/RisksAndContext";
import { SinceApproval } from "@/plan/SinceApproval";

/** Shows the pre-flight checks before a run starts. */
export function PreflightDialog(): ReactElement | null {
  const request = usePage((state) => state.runRequest);
  return request ? <OpenPreflightDialog request={request} /> : null;
}

function OpenPreflightDialog({ request }: { request: RunRequest }): ReactElement {
  const { editor, page, runs } = useBlueprint();
  const approves = useEditor((state) => lacksApproval(state.view, request.preflight));
  const view = useEditor((state) => state.view);
  const [busy, setBusy] = useState(false);
  const main = useRef<HTMLButtonElement>(null);
  const { checks, mayRun } = request.preflight;
  const while_ = (work: Promise<void>) => {
    setBusy(true);
    void work.finally(() => setBusy(false));
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || page.setState({ runRequest: undefined })}
      focusFirst={() => main.current}
      title={mayRun ? "Ready to run" : "Not ready to run"}
      description={
        mayRun
          ? "Nodes run as processes on this machine, with your user's permissions, in the blueprint's directory."
          : "Fix what failed, then check again. Nothing has started yet."
      }
      actions={
        <>
          <Button onClick={() => page.setState({ runRequest: undefined })}>Cancel</Button>
          {!mayRun && (
            <Button ref={main} kind="primary" busy={busy} onClick={() => while_(runs.checkAgain())}>
              Check again
            </Button>
          )}
          {mayRun && (
            <Button
              ref={main}
              kind="primary"
              busy={busy}
              // The shortcut that opened the dialog may still be held down, which must not approve.
              onKeyDown={(event) => event.repeat && event.preventDefault()}
              onClick={() => while_(runs.confirm())}
            >
              {approves ? "Approve and run" : "Run"}
            </Button>
          )}
        </>
      }
    >
      <CheckList
        checks={checks}
        onShowSettings={() => {
          page.setState({ runRequest: undefined, sideOpen: true });
          editor.getState().select([]);
        }}
        onCheckAgain={() => while_(runs.checkAgain())}
        onShowNode={(node) => {
          page.setState({ runRequest: undefined, sideOpen: true });
          editor.getState().select([node]);
          page.getState().canvas?.reveal(node);
        }}
      />
      {approves && (
        <div className="mt-3 border-t pt-3 empty:hidden">
          <RisksAndContext plan={view.plan} />
        </div>
      )}
      <div className="mt-3 border-t pt-3 empty:hidden">
        <SinceApproval view={view} found={request.changes} />
      </div>
    </Dialog>
  );
}
