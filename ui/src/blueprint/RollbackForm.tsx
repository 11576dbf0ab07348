import { type ReactElement, useState } from "react";
import type { CheckpointView, RunId } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { formatCount } from "@/components/formatCount";
import { Switch } from "@/components/Switch";
import { useEditor } from "@/plan/editor";
import { liveSessions } from "@/plan/runFacts";

export interface RollbackFormProps {
  run: RunId;
  checkpoint: CheckpointView;
  onCancel: () => void;
  onDone: () => void;
}

/** Says what going back to a checkpoint changes, and asks whether the files go back as well. */
export function RollbackForm({
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
      aria-label={`Go back to ${checkpoint.name}`}
      className="flex flex-col gap-3 border-t bg-raised px-3 py-3"
    >
      <p className="text-muted">
        Nodes stand again where they stood then, and the run is paused. Attempts since then, with
        their handoffs, are kept and can be read.
      </p>
      {hasFiles ? (
        <Switch
          label="Take the files back too"
          hint={
            changedFiles.length === 0
              ? "No file differs from the checkpoint."
              : `${formatCount(changedFiles.length, "file")} in the plan's directory would change.`
          }
          checked={files}
          onChange={setFiles}
        />
      ) : (
        <p className="text-12 text-faint">
          It has no files: the plan's directory was no git repository. Files stay as they are.
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
          What the files hold now is kept in the repository as a snapshot of its own before.
        </p>
      )}
      {live > 0 && (
        <p className="text-12 text-danger-fg">
          {formatCount(live, "session")} still {live === 1 ? "lives" : "live"}. Pause the run, or
          stop what runs, then go back.
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
          {files ? "Go back with files" : "Go back"}
        </Button>
      </div>
    </section>
  );
}
