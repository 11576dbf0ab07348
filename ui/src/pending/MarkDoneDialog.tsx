import type { ReactElement } from "react";
import type { NodeId, RunId } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { CodeField } from "@/components/CodeField";
import { Dialog } from "@/components/Dialog";
import { quoteTitle } from "@/components/quotedTitle";
import { useTextDraft } from "@/shell/useTextDraft";

export interface MarkDoneDialogProps {
  run: RunId;
  node: NodeId;
  title: string;
  /** The node is running: its session is stopped first. */
  stop: boolean;
  onClose: () => void;
}

/** Marks a node done without running it, optionally with a handoff for its children. */
export function MarkDoneDialog({
  run,
  node,
  title,
  stop,
  onClose,
}: MarkDoneDialogProps): ReactElement {
  const [handoff, setHandoff, discard] = useTextDraft(`handoff/${run}/${node}`);
  const markDone = useMutationOperation("node_mark_done");

  function leave() {
    discard();
    onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Mark ${quoteTitle(title)} done`}
      description={
        stop
          ? "Stops its session and all of its processes. The run continues as if the node had succeeded."
          : "The run continues as if the node had succeeded. The node doesn't run."
      }
      width={560}
      actions={
        <>
          <Button onClick={leave}>Cancel</Button>
          <Button
            kind="primary"
            busy={markDone.isPending}
            onClick={() => markDone.mutate({ run, node, handoff, stop }, { onSuccess: leave })}
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
        hint="Passed to the nodes that depend on this one. Leave empty for no handoff."
        error={markDone.error?.message}
      />
    </Dialog>
  );
}
