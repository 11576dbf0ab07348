import { type ReactElement, useState } from "react";
import type { RunId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { ActLine } from "./ActLine";
import { type OnDone, useAct } from "./useAct";

interface StalledActsProps {
  run: RunId;
  title: string;
  onDone: OnDone;
}

/** Ends a run in which nothing can go on. The other ways on are at its nodes. */
export function StalledActs({ run, title, onDone }: StalledActsProps): ReactElement {
  const [asking, setAsking] = useState(false);
  const cancel = useAct("run_cancel", onDone);

  return (
    <ActLine error={cancel.error}>
      <Button size="small" busy={cancel.isPending} onClick={() => setAsking(true)}>
        Stop run
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Stop the run of “${title}”?`}
        confirmLabel="Stop run"
        onConfirm={() => {
          setAsking(false);
          cancel.act({ run }, `The run of ${title} was stopped`);
        }}
      >
        Nodes that have not started will not start. Finished nodes and their handoffs stay; single
        nodes can be rerun later.
      </ConfirmDialog>
    </ActLine>
  );
}
