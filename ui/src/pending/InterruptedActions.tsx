import { type ReactElement, useState } from "react";
import type { NodeId, RunId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { ActionRow } from "./ActionRow";
import { numberedAnswer, numberMark } from "./answerKeys";
import { MarkDoneDialog } from "./MarkDoneDialog";
import { type OnDone, useAction } from "./useAction";

interface InterruptedActsProps {
  target: { run: RunId; node: NodeId };
  title: string;
  canResume: boolean;
  onDone: OnDone;
}

/** Actions for an interrupted node, of which it is unknown how far it got. */
export function InterruptedActions({
  target,
  title,
  canResume,
  onDone,
}: InterruptedActsProps): ReactElement {
  const [marking, setMarking] = useState(false);
  const retry = useAction("node_retry", onDone);
  const skip = useAction("node_skip", onDone);
  const fail = useAction("node_mark_failed", onDone);
  const first = canResume ? 1 : 0;
  const resuming = retry.variables?.resume === true;

  return (
    <ActionRow error={retry.error ?? skip.error ?? fail.error}>
      {canResume && (
        <Button
          size="small"
          kind="primary"
          title="Continues the agent's session"
          {...numberedAnswer({ at: 0, commits: true })}
          className={numberMark}
          busy={retry.isPending && resuming}
          onClick={() => retry.act({ ...target, resume: true }, `Resumed ${title}`)}
        >
          Resume session
        </Button>
      )}
      <Button
        size="small"
        kind={canResume ? "secondary" : "primary"}
        title="Starts the node over in a new session"
        {...numberedAnswer({ at: first, commits: true })}
        className={numberMark}
        busy={retry.isPending && !resuming}
        onClick={() => retry.act({ ...target, resume: false }, `Retrying ${title}`)}
      >
        Retry
      </Button>
      <Button
        size="small"
        {...numberedAnswer({ at: first + 1 })}
        className={numberMark}
        onClick={() => setMarking(true)}
      >
        Mark done
      </Button>
      <Button
        size="small"
        {...numberedAnswer({ at: first + 2, commits: true })}
        className={numberMark}
        busy={skip.isPending}
        onClick={() => skip.act({ ...target, stop: null }, `Skipped ${title}`)}
      >
        Skip
      </Button>
      <Button
        size="small"
        {...numberedAnswer({ at: first + 3, commits: true })}
        className={numberMark}
        busy={fail.isPending}
        onClick={() => fail.act(target, `Marked ${title} failed`)}
      >
        Mark failed
      </Button>
      {marking && (
        <MarkDoneDialog {...target} title={title} stop={false} onClose={() => setMarking(false)} />
      )}
    </ActionRow>
  );
}
