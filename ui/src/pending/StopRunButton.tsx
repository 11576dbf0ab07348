import { type ReactElement, useState } from "react";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";

interface StopRunButtonProps {
  title: string;
  busy: boolean;
  /** What else a person should know before they stop it. */
  more?: string;
  onStop: () => void;
}

/** Stops a run after asking. */
export function StopRunButton({ title, busy, more, onStop }: StopRunButtonProps): ReactElement {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="small" busy={busy} onClick={() => setAsking(true)}>
        Stop run
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Stop the run of “${title}”?`}
        confirmLabel="Stop run"
        onConfirm={() => {
          setAsking(false);
          onStop();
        }}
      >
        Nodes that have not started will not start. Finished nodes and their handoffs stay
        {more ? `; ${more}.` : "."}
      </ConfirmDialog>
    </>
  );
}
