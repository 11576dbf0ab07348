import { type ReactElement, useState } from "react";
import type { NodeId, RunId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { MarkDoneDialog } from "@/inspector/MarkDoneDialog";
import { ActLine } from "./ActLine";
import { type OnDone, useAct } from "./useAct";

interface InterruptedActsProps {
  target: { run: RunId; node: NodeId };
  title: string;
  canResume: boolean;
  onDone: OnDone;
}

/** How a run goes on after a node of which nobody knows how far it came. */
export function InterruptedActs({ target, title, onDone }: InterruptedActsProps): ReactElement {
  const [marking, setMarking] = useState(false);
  const retry = useAct("node_retry", onDone);
  const skip = useAct("node_skip", onDone);

  return (
    <ActLine error={retry.error ?? skip.error}>
      <Button
        size="small"
        kind="primary"
        busy={retry.isPending}
        onClick={() => retry.act(target, `${title} starts again`)}
      >
        Start again
      </Button>
      <Button size="small" onClick={() => setMarking(true)}>
        Mark done
      </Button>
      <Button
        size="small"
        busy={skip.isPending}
        onClick={() => skip.act(target, `${title} is skipped`)}
      >
        Skip
      </Button>
      {marking && <MarkDoneDialog {...target} title={title} onClose={() => setMarking(false)} />}
    </ActLine>
  );
}
