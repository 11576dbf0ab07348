import { Check as CheckMark, CircleAlert, TriangleAlert } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { Check, CheckVerdict } from "@/api/bindings";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { useBlueprint, usePage } from "./blueprintContext";
import { useEditor } from "./editor";
import type { RunRequest } from "./page";

/** What stands between the plan and its run, before the run begins. */
export function PreflightDialog(): ReactElement | null {
  const request = usePage((state) => state.request);
  return request ? <Ask request={request} /> : null;
}

function Ask({ request }: { request: RunRequest }): ReactElement {
  const { page, runs } = useBlueprint();
  const approved = useEditor((state) => state.view.review === "approved");
  const [busy, setBusy] = useState(false);
  const { checks, mayRun } = request.preflight;
  const while_ = (work: Promise<void>) => {
    setBusy(true);
    void work.finally(() => setBusy(false));
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || page.setState({ request: undefined })}
      title={mayRun ? "Ready to run" : "Not ready to run"}
      description={
        mayRun
          ? "Nodes run as processes on this machine, with your rights, in the plan's directory."
          : "Mend what failed, then look again. Nothing has been started."
      }
      actions={
        <>
          <Button onClick={() => page.setState({ request: undefined })}>Cancel</Button>
          {!mayRun && (
            <Button kind="primary" busy={busy} onClick={() => while_(runs.lookAgain())}>
              Look again
            </Button>
          )}
          {mayRun && (
            <Button kind="primary" busy={busy} onClick={() => while_(runs.confirm())}>
              {approved ? "Run" : "Approve and run"}
            </Button>
          )}
        </>
      }
    >
      <ul className="flex flex-col gap-2">
        {checks.map((check) => (
          <CheckRow key={`${check.sentence} ${check.node ?? ""}`} check={check} />
        ))}
        {checks.length === 0 && <li className="text-muted">There is nothing to object to.</li>}
      </ul>
    </Dialog>
  );
}

const icons: Record<CheckVerdict, ReactElement> = {
  failed: <CircleAlert className="text-danger-fg" aria-label="Failed" />,
  warning: <TriangleAlert className="text-state-waiting" aria-label="Warning" />,
  passed: <CheckMark className="text-state-done" aria-label="Passed" />,
};

function CheckRow({ check }: { check: Check }): ReactElement {
  const { editor, page } = useBlueprint();
  const { node } = check;
  return (
    <li className="flex items-start gap-2">
      <span className="mt-0.5 shrink-0 [&>svg]:size-4">{icons[check.verdict]}</span>
      <div className="min-w-0 flex-1 select-text break-words">
        {check.sentence}
        {check.mend !== null && <p className="text-muted">{check.mend}</p>}
      </div>
      {node !== null && (
        <Button
          size="small"
          kind="ghost"
          onClick={() => {
            page.setState({ request: undefined, sideOpen: true });
            editor.getState().select([node]);
            page.getState().canvas?.reveal(node);
          }}
        >
          Show node
        </Button>
      )}
    </li>
  );
}
