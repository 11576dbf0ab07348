import type { ReactElement } from "react";
import type { Conflict, NodeId, Resolution, RunId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { ActionRow } from "./ActionRow";
import { type OnDone, useAction } from "./useAction";

interface MergeActsProps {
  target: { run: RunId; node: NodeId };
  title: string;
  conflict: Conflict;
  onDone: OnDone;
}

/** How a conflict between the work of a node's parents is settled. */
export function MergeActions({ target, title, conflict, onDone }: MergeActsProps): ReactElement {
  const merge = useAction("node_merge", onDone);
  const skip = useAction("node_skip", onDone);
  const choices: { resolution: Resolution; label: string; hint: string; done: string }[] = [
    {
      resolution: "by_hand",
      label: "Continue with my files",
      hint: "The files in the worktree count as they are now",
      done: `${title} continues with your files`,
    },
    {
      resolution: "agent",
      label: "Let an agent solve it",
      hint: "An agent works in the worktree first; markers that it leaves keep the conflict open",
      done: `An agent solves the conflict before ${title}`,
    },
    {
      resolution: "ours",
      label: `Take ${conflict.ours}`,
      hint: `Each file in conflict as ${conflict.ours} left it; the other change to it is left out`,
      done: `${title} continues with the files of ${conflict.ours}`,
    },
    {
      resolution: "theirs",
      label: `Take ${conflict.theirs}`,
      hint: `Each file in conflict as ${conflict.theirs} left it; the other change to it is left out`,
      done: `${title} continues with the files of ${conflict.theirs}`,
    },
  ];
  return (
    <ActionRow error={merge.error ?? skip.error}>
      {choices.map(({ resolution, label, hint, done }) => (
        <Button
          key={resolution}
          size="small"
          kind={resolution === "by_hand" ? "primary" : "secondary"}
          title={hint}
          busy={merge.isPending && merge.variables?.resolution === resolution}
          onClick={() => merge.act({ ...target, resolution }, done)}
        >
          <span className="max-w-48 truncate">{label}</span>
        </Button>
      ))}
      <Button
        size="small"
        busy={skip.isPending}
        onClick={() => skip.act({ ...target, stop: null }, `${title} is skipped`)}
      >
        Skip
      </Button>
    </ActionRow>
  );
}
