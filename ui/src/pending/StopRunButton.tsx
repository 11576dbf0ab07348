import { type ReactElement, useState } from "react";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { quoteTitle } from "@/components/quotedTitle";
import { numberedAnswer, numberMark } from "./answerKeys";

interface StopRunButtonProps {
  /** Its place among the answers, from 0. */
  at: number;
  title: string;
  busy: boolean;
  /** An additional sentence for the confirmation. */
  more?: string;
  onStop: () => void;
}

/** Stops a run after a confirmation. */
export function StopRunButton({ at, title, busy, more, onStop }: StopRunButtonProps): ReactElement {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="small"
        {...numberedAnswer({ at })}
        className={numberMark}
        busy={busy}
        onClick={() => setAsking(true)}
      >
        Stop run
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Stop ${quoteTitle(title)}?`}
        confirmLabel="Stop run"
        onConfirm={() => {
          setAsking(false);
          onStop();
        }}
      >
        Nodes that haven't started won't start. Finished nodes and their handoffs are kept.
        {more && ` ${more}`}
      </ConfirmDialog>
    </>
  );
}
