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

/** Stops a stalled run. Other actions, such as Retry, are on its nodes. */
export function StalledActions({ run, title, onDone }: StalledActionsProps): ReactElement {
  const cancel = useAction("run_cancel", onDone);

  return (
    <ActionRow error={cancel.error}>
      <StopRunButton
        at={0}
        title={title}
        busy={cancel.isPending}
        more="You can rerun single nodes later."
        onStop={() => cancel.act({ run }, `Stopped ${title}`)}
      />
    </ActionRow>
  );
}
