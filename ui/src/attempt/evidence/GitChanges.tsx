import { TriangleAlert } from "lucide-react";
import { type ReactElement, useState } from "react";
import type {
  Attempt,
  EvidenceView,
  GitChange,
  GitRestoredView,
  NodeId,
  RunId,
} from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { formatActor } from "@/components/actor";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { RelativeTime } from "@/components/RelativeTime";
import {
  describeGitChangeSide,
  describeRestore,
  gitChangeTitle,
  gitChangeVerb,
} from "./gitChangeText";

export interface GitChangesProps {
  run: RunId;
  node: NodeId;
  attempt: Attempt;
  known: EvidenceView;
}

/**
 * Changed git settings and hooks that make the user's own git run other programs, with a button to
 * restore them.
 */
export function GitChanges({ run, node, attempt, known }: GitChangesProps): ReactElement | null {
  const [asking, setAsking] = useState(false);
  const restore = useMutationOperation("git_restore");
  const changes = known.evidence?.gitChanges ?? [];
  if (changes.length === 0) return null;
  const restored = new Map(known.gitRestored?.map((one) => [one.change, one]));
  const open = changes.filter((_, at) => !restored.has(at));
  const leftOut = known.evidence?.gitChangesLeftOut ?? 0;
  const confirm = () =>
    restore.mutate({ run, node, attempt }, { onSettled: () => setAsking(false) });
  return (
    <section
      aria-label="Git settings and hooks"
      className="mb-3 rounded-card border border-state-waiting bg-state-waiting-tint px-3 py-2 text-12"
    >
      <h4 className="flex gap-1.5 font-medium">
        <TriangleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0 text-state-waiting" />
        Git settings or hooks changed while this node ran
      </h4>
      <p className="mt-0.5 text-muted">
        Your git commands will use these. Review them before you run git in this repository.
      </p>
      <ul aria-label="Changed git settings and hooks" className="mt-1.5 flex flex-col gap-2">
        {changes.map((change, at) => (
          <ChangeRow key={JSON.stringify(change)} change={change} restored={restored.get(at)} />
        ))}
      </ul>
      {leftOut > 0 && <p className="mt-1">and {leftOut} more</p>}
      {open.length > 0 && (
        <Button size="small" className="mt-2" onClick={() => setAsking(true)}>
          Restore
        </Button>
      )}
      {restore.error && (
        <p role="alert" className="mt-1 text-danger-fg">
          {restore.error.message}
        </p>
      )}
      {restore.data && restore.data.left.length > 0 && (
        <ul role="alert" className="mt-1 text-danger-fg">
          {restore.data.left.map((left) => (
            <li key={left.change}>
              {leftTitle(changes[left.change])}: {left.message}.
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Restore git settings and hooks?"
        confirmLabel="Restore"
        busy={restore.isPending}
        onConfirm={confirm}
      >
        <p>Anything that has changed again since then is kept.</p>
        <ul aria-label="What Restore does" className="mt-1 flex flex-col gap-0.5">
          {open.map((change) => (
            <li key={JSON.stringify(change)} className="break-all">
              {describeRestore(change)}
            </li>
          ))}
        </ul>
        {leftOut > 0 && <p className="mt-1">and {leftOut} more</p>}
      </ConfirmDialog>
    </section>
  );
}

function leftTitle(change: GitChange | undefined): string {
  return change ? gitChangeTitle(change) : "Unlisted change";
}

function ChangeRow(props: {
  change: GitChange;
  restored: GitRestoredView | undefined;
}): ReactElement {
  const { change, restored } = props;
  const verb = gitChangeVerb(change);
  return (
    <li className="min-w-0">
      <p className="break-words">
        <span className={change.kind === "setting" ? "font-medium font-mono" : "font-medium"}>
          {gitChangeTitle(change)}
        </span>{" "}
        {verb}
      </p>
      <p className="select-text break-all text-faint">{change.file}</p>
      {verb !== "added" && <Side label="Before" text={describeGitChangeSide(change, "before")} />}
      {verb !== "removed" && <Side label="After" text={describeGitChangeSide(change, "after")} />}
      {restored && (
        <p className="text-muted">
          Restored: {formatActor(restored.by)}, <RelativeTime at={restored.at} />
        </p>
      )}
    </li>
  );
}

function Side({ label, text }: { label: string; text: string }): ReactElement {
  return (
    <div className="mt-0.5 flex gap-1.5">
      <span className="w-11 shrink-0 text-faint">{label}</span>
      <pre
        {...keyboardScrollable}
        className="max-h-40 min-w-0 flex-1 select-text overflow-auto whitespace-pre-wrap break-all rounded-control border bg-canvas px-2 py-0.5 text-12"
      >
        {text}
      </pre>
    </div>
  );
}
