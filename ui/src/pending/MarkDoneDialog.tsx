import { type ReactElement, useState } from "react";
import type { NodeId, RunId } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { CodeField } from "@/components/CodeField";
import { Dialog } from "@/components/Dialog";

export interface MarkDoneDialogProps {
  run: RunId;
  node: NodeId;
  title: string;
  /** A session works on it, and ends first. */
  stop: boolean;
  onClose: () => void;
}

/** Takes a node as done without running it; the person may write what the children are told. */
export function MarkDoneDialog({
  run,
  node,
  title,
  stop,
  onClose,
}: MarkDoneDialogProps): ReactElement {
  const [handoff, setHandoff] = useState("");
  const markDone = useMutationOperation("node_mark_done");

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Mark “${title}” done`}
      description={
        stop
          ? "Its session ends with every process in it. The run continues as if the node had done its work."
          : "The run continues as if the node had done its work. Nothing is run."
      }
      width={560}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={markDone.isPending}
            onClick={() => markDone.mutate({ run, node, handoff, stop }, { onSuccess: onClose })}
          >
            {stop ? "Stop and mark done" : "Mark done"}
          </Button>
        </>
      }
    >
      <CodeField
        label="Handoff"
        language="markdown"
        value={handoff}
        onChange={setHandoff}
        placeholder="**What was done:** …"
        hint="What the nodes that depend on this one are told. Leave it empty for none."
        error={markDone.error?.message}
      />
    </Dialog>
  );
}
