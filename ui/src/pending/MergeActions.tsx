import type { ReactElement } from "react";
import type { Conflict, NodeId, Resolution, RunId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { ActionRow } from "./ActionRow";
import { numberedAnswer, numberMark } from "./answerKeys";
import { type OnDone, useAction } from "./useAction";

interface MergeActsProps {
  target: { run: RunId; node: NodeId };
  title: string;
  conflict: Conflict;
  onDone: OnDone;
}

/** Buttons to resolve a conflict between the work of a node's parents. */
export function MergeActions({ target, title, conflict, onDone }: MergeActsProps): ReactElement {
  const merge = useAction("node_merge", onDone);
  const skip = useAction("node_skip", onDone);
  const choices: { resolution: Resolution; label: string; hint: string; done: string }[] = [
    {
      resolution: "by_hand",
      label: "Continue with my files",
      hint: "Uses the files in the worktree as they are now",
      done: `${title} continues with your files`,
    },
    {
      resolution: "agent",
      label: "Let an agent resolve it",
      hint: "An agent edits the worktree first. If conflict markers remain, the conflict stays open",
      done: `An agent is resolving the conflict before ${title} starts`,
    },
    {
      resolution: "ours",
      label: `Use ${conflict.ours}`,
      hint: `Uses each conflicting file from ${conflict.ours} and discards the other change`,
      done: `${title} continues with ${conflict.ours}'s files`,
    },
    {
      resolution: "theirs",
      label: `Use ${conflict.theirs}`,
      hint: `Uses each conflicting file from ${conflict.theirs} and discards the other change`,
      done: `${title} continues with ${conflict.theirs}'s files`,
    },
  ];
  return (
    <ActionRow error={merge.error ?? skip.error}>
      {choices.map(({ resolution, label, hint, done }, at) => (
        <Button
          key={resolution}
          size="small"
          kind={resolution === "by_hand" ? "primary" : "secondary"}
          title={hint}
          {...numberedAnswer({ at, commits: true })}
          className={numberMark}
          busy={merge.isPending && merge.variables?.resolution === resolution}
          onClick={() => merge.act({ ...target, resolution }, done)}
        >
          <span dir="auto" className="max-w-48 truncate">
            {label}
          </span>
        </Button>
      ))}
      <Button
        size="small"
        {...numberedAnswer({ at: choices.length, commits: true })}
        className={numberMark}
        busy={skip.isPending}
        onClick={() => skip.act({ ...target, stop: null }, `Skipped ${title}`)}
      >
        Skip
      </Button>
    </ActionRow>
  );
}
