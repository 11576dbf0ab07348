import type { ReactElement } from "react";
import type { RunId } from "@/api/bindings";
import { ActLine } from "./ActLine";
import { StopRun } from "./StopRun";
import { type OnDone, useAct } from "./useAct";

interface StalledActsProps {
  run: RunId;
  title: string;
  onDone: OnDone;
}

/** Ends a run in which nothing can go on. The other ways on are at its nodes. */
export function StalledActs({ run, title, onDone }: StalledActsProps): ReactElement {
  const cancel = useAct("run_cancel", onDone);

  return (
    <ActLine error={cancel.error}>
      <StopRun
        title={title}
        busy={cancel.isPending}
        more="single nodes can be rerun later"
        onStop={() => cancel.act({ run }, `The run of ${title} was stopped`)}
      />
    </ActLine>
  );
}
