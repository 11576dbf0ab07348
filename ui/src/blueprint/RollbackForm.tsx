import { type ReactElement, type Ref, useState } from "react";
import type { CheckpointView, RunId } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { formatCount } from "@/components/formatCount";
import { Switch } from "@/components/Switch";
import { useEditor } from "@/plan/editor";
import { liveSessions } from "@/plan/runStatus";

export interface RollbackFormProps {
  ref?: Ref<HTMLElement>;
  run: RunId;
  checkpoint: CheckpointView;
  onCancel: () => void;
  onDone: () => void;
}

/** Explains what a rollback changes, and asks whether to restore the files too. */
export function RollbackForm({
  ref,
  run,
  checkpoint,
  onCancel,
  onDone,
}: RollbackFormProps): ReactElement {
  const [files, setFiles] = useState(false);
  const rollBack = useMutationOperation("run_rollback");
  const live = useEditor((editor) => (editor.run ? liveSessions(editor.run) : 0));
  const { changedFiles, hasFiles, number } = checkpoint;

  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={`Roll back to ${checkpoint.name}`}
      className="flex flex-col gap-3 border-t bg-raised px-3 py-3 outline-none"
    >
      <p className="text-muted">
        Nodes return to their state at “<bdi>{checkpoint.name}</bdi>”, and the run is paused. Later
        attempts and their handoffs are kept.
      </p>
      {hasFiles ? (
        <Switch
          label="Restore files too"
          hint={
            changedFiles.length === 0
              ? "No file differs from the checkpoint."
              : `${formatCount(changedFiles.length, "file")} in the blueprint's directory would change.`
          }
          checked={files}
          onChange={setFiles}
        />
      ) : (
        <p className="text-12 text-faint">
          This checkpoint has no files because the directory wasn't a git repository. Files won't
          change.
        </p>
      )}
      {changedFiles.length > 0 && (
        <ul
          aria-label="Files that differ from the checkpoint"
          className="max-h-40 select-text overflow-auto rounded-control border bg-surface px-2 py-1"
        >
          {changedFiles.map((file) => (
            <li key={file} className="break-all font-mono text-12 leading-5">
              {file}
            </li>
          ))}
        </ul>
      )}
      {files && (
        <p className="text-12 text-muted">
          The current files are first saved as a snapshot in the repository.
        </p>
      )}
      {live > 0 && (
        <p className="text-12 text-danger-fg">
          {formatCount(live, "session")} still {live === 1 ? "runs" : "run"}. Pause the run or stop
          its nodes, then roll back.
        </p>
      )}
      {rollBack.error && (
        <p role="alert" className="text-12 text-danger-fg">
          {rollBack.error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          kind="danger"
          busy={rollBack.isPending}
          onClick={() => rollBack.mutate({ run, checkpoint: number, files }, { onSuccess: onDone })}
        >
          {files ? "Roll back with files" : "Roll back"}
        </Button>
      </div>
    </section>
  );
}
