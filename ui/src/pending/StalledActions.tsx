import type { ReactElement } from "react";
import type { RunId } from "@/api/bindings";
import { ActionRow } from "./ActionRow";
import { StopRunButton } from "./StopRunButton";
import { type OnDone, useAction } from "./useAction";

interface StalledActionsProps {
  run: RunId;
  title: string;
  onDone: OnDone;
}

/** Ends a run in which nothing can go on. The other ways on are at its nodes. */
export function StalledActions({ run, title, onDone }: StalledActionsProps): ReactElement {
  const cancel = useAction("run_cancel", onDone);

  return (
    <ActionRow error={cancel.error}>
      <StopRunButton
        title={title}
        busy={cancel.isPending}
        more="single nodes can be rerun later"
        onStop={() => cancel.act({ run }, `The run of ${title} was stopped`)}
      />
    </ActionRow>
  );
}
