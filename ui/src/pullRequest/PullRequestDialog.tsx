import { type ReactElement, useState } from "react";
import type { PullRequestResult, RunId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { OpenedPullRequest } from "./OpenedPullRequest";
import { PullRequestForm } from "./PullRequestForm";
import { usePullRequest } from "./usePullRequest";

/** Opens a pull request from the work of the shown run. */
export function PullRequestDialog(): ReactElement | null {
  const { page } = useBlueprint();
  const open = usePage((state) => state.pullRequestOpen);
  const run = useEditor((state) => state.run?.summary.id);
  if (!open || run === undefined) return null;
  const close = () => page.setState({ pullRequestOpen: false });
  return <OpenDialog key={run} run={run} onClose={close} />;
}

function OpenDialog({ run, onClose }: { run: RunId; onClose: () => void }): ReactElement {
  const [remote, setRemote] = useState<string | null>(null);
  const [done, setDone] = useState<PullRequestResult>();
  const preview = usePullRequest(run, remote, done === undefined);
  const view = preview.data;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title="Open pull request"
      description="Puts the run's work on a branch of its own and pushes it. Your directory doesn't change."
      width={680}
    >
      {done && view ? (
        <OpenedPullRequest done={done} tool={view.tool} onClose={onClose} />
      ) : preview.isError ? (
        <ErrorState
          title="Can't open a pull request"
          retrying={preview.isFetching}
          onRetry={() => void preview.refetch()}
        >
          {preview.error.message}
        </ErrorState>
      ) : view === undefined ? (
        <PendingPreview />
      ) : view.files.length === 0 ? (
        <NothingToPropose onClose={onClose} />
      ) : (
        <PullRequestForm
          run={run}
          view={view}
          onRemote={setRemote}
          onDone={setDone}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function PendingPreview(): ReactElement {
  return (
    <div role="status" aria-label="Collecting the run's work" className="flex flex-col gap-3">
      <Skeleton width="60%" />
      <Skeleton width="90%" />
      <Skeleton width="40%" />
    </div>
  );
}

function NothingToPropose({ onClose }: { onClose: () => void }): ReactElement {
  return (
    <div className="flex flex-col items-center gap-3 py-6 text-center">
      <p className="max-w-[60ch] text-muted">
        This run has no changes to propose. It changed no file, or all of its work is committed
        already.
      </p>
      <Button onClick={onClose}>Close</Button>
    </div>
  );
}
