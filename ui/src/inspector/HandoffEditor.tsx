import { type ReactElement, useState } from "react";
import type { ArtifactId, NodeId, RunView } from "@/api/bindings";
import { useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { CodeField } from "@/components/CodeField";
import { Skeleton } from "@/components/Skeleton";
import { staleNotice } from "@/plan/staleNodes";

export interface HandoffEditorProps {
  run: RunView;
  node: NodeId;
  artifact: ArtifactId;
  onClose: () => void;
}

/** Edits the handoff of a finished node, and says which finished nodes have already used it. */
export function HandoffEditor({ run, node, artifact, onClose }: HandoffEditorProps): ReactElement {
  const read = useOperation("artifact_get", { artifact });
  const edit = useMutationOperation("artifact_edit");
  const [draft, setDraft] = useState<string>();
  if (!read.data) return <Skeleton width="60%" />;
  const text = draft ?? read.data.content.text;
  const isBlank = text.trim() === "";

  return (
    <div className="flex flex-col gap-3">
      <CodeField
        label="Handoff"
        language="markdown"
        value={text}
        onChange={setDraft}
        hint="Child nodes receive it. Named outputs don't change."
        error={isBlank ? "The handoff can't be empty. Describe what was done." : undefined}
      />
      <p className="rounded-control border border-dashed border-line-strong px-2.5 py-2 text-12 text-muted">
        {staleNotice(run, node)}
      </p>
      {edit.error && (
        <p role="alert" className="text-12 text-danger-fg">
          {edit.error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <Button
          size="small"
          kind="primary"
          busy={edit.isPending}
          disabled={isBlank || text === read.data.content.text}
          onClick={() => edit.mutate({ run: run.summary.id, node, text }, { onSuccess: onClose })}
        >
          Save handoff
        </Button>
      </div>
    </div>
  );
}
