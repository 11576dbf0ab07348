import { Flag } from "lucide-react";
import { type ReactElement, useRef, useState } from "react";
import type { CheckpointView, RunId } from "@/api/bindings";
import { useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { ErrorState } from "@/components/ErrorState";
import { formatCount } from "@/components/formatCount";
import { RelativeTime } from "@/components/RelativeTime";
import { Skeleton } from "@/components/Skeleton";
import { TextField } from "@/components/TextField";
import { useTextDraft } from "@/shell/useTextDraft";
import { RollbackForm } from "./RollbackForm";

export interface CheckpointsDialogProps {
  run: RunId;
  /** The checkpoint whose rollback is asked about at first. */
  rollbackTo: number | undefined;
  onClose: () => void;
}

/** Creates and lists the checkpoints of a run, and rolls back to one. */
export function CheckpointsDialog({
  run,
  rollbackTo,
  onClose,
}: CheckpointsDialogProps): ReactElement {
  const [chosen, choose] = useState(rollbackTo);
  const question = useRef<HTMLElement>(null);
  const checkpoints = useOperation("run_checkpoints", { run });

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Checkpoints"
      description="A checkpoint saves the state of every node and, in a git directory, the files."
      width={560}
      focusFirst={() => question.current}
    >
      <div className="flex flex-col gap-4">
        <NewCheckpoint run={run} />
        {checkpoints.isPending && <Skeleton width="60%" />}
        {checkpoints.isError && (
          <ErrorState
            title="Couldn't load the checkpoints"
            onRetry={() => void checkpoints.refetch()}
          >
            {checkpoints.error.message}
          </ErrorState>
        )}
        {checkpoints.data?.length === 0 && (
          <p className="text-muted">No checkpoints yet. Name the first one above.</p>
        )}
        {checkpoints.data && checkpoints.data.length > 0 && (
          <ul aria-label="Checkpoints" className="flex flex-col divide-y rounded-card border">
            {checkpoints.data.toReversed().map((checkpoint) => (
              <li key={checkpoint.number}>
                <CheckpointLine
                  checkpoint={checkpoint}
                  chosen={chosen === checkpoint.number}
                  onChoose={() => choose(checkpoint.number)}
                />
                {chosen === checkpoint.number && (
                  <RollbackForm
                    ref={question}
                    run={run}
                    checkpoint={checkpoint}
                    onCancel={() => choose(undefined)}
                    onDone={onClose}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

function NewCheckpoint({ run }: { run: RunId }): ReactElement {
  const [name, setName, discard] = useTextDraft(`checkpoint/${run}`);
  const make = useMutationOperation("run_checkpoint");
  const isBlank = name.trim() === "";

  return (
    <form
      className="flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isBlank || make.isPending) return;
        make.mutate({ run, name: name.trim(), data: null }, { onSuccess: discard });
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField
          label="Checkpoint name"
          labelHidden
          dir="auto"
          value={name}
          maxLength={200}
          placeholder="Name it, such as “before the rewrite”"
          error={make.error?.message}
          onChange={setName}
        />
      </div>
      <Button type="submit" kind="primary" busy={make.isPending} disabled={isBlank}>
        <Flag />
        Create checkpoint
      </Button>
    </form>
  );
}

interface CheckpointLineProps {
  checkpoint: CheckpointView;
  chosen: boolean;
  onChoose: () => void;
}

function CheckpointLine({ checkpoint, chosen, onChoose }: CheckpointLineProps): ReactElement {
  const { name, at, done, hasFiles } = checkpoint;
  return (
    <div className="flex items-center gap-3 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate font-medium" title={name}>
          {name}
        </p>
        <p className="text-12 text-faint">
          <RelativeTime at={at} /> · {formatCount(done, "node")} done ·{" "}
          {hasFiles ? "with files" : "without files"}
        </p>
      </div>
      {!chosen && (
        <Button size="small" aria-label={`Roll back to ${name}`} onClick={onChoose}>
          Roll back
        </Button>
      )}
    </div>
  );
}
