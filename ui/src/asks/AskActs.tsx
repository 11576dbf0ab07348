import type { ReactElement } from "react";
import { ApprovalActs } from "./ApprovalActs";
import type { Asking } from "./ask";
import { InputActs } from "./InputActs";
import { InterruptedActs } from "./InterruptedActs";
import { MergeActs } from "./MergeActs";
import { PermissionActs } from "./PermissionActs";
import { StalledActs } from "./StalledActs";
import { TakeoverActs } from "./TakeoverActs";
import type { OnDone } from "./useAct";

export interface AskActsProps {
  asking: Asking;
  /** Hears in words what was done: what was asked may leave before anybody could read it beside the buttons. */
  onDone?: OnDone;
}

/** What a person can do about what is asked: in the Inbox and in the inspector. */
export function AskActs({ asking, onDone }: AskActsProps): ReactElement | null {
  const { run, node, ask } = asking;
  if (ask.kind === "stalled") {
    return <StalledActs run={run} title={asking.title} onDone={onDone} />;
  }
  if (ask.kind === "takeover") {
    return <TakeoverActs run={run} title={asking.title} details={ask.details} onDone={onDone} />;
  }
  // A proposal is judged on its own page.
  if (node === null || ask.kind === "proposal") return null;
  const target = { run, node };
  switch (ask.kind) {
    case "permission":
      return (
        <PermissionActs
          target={target}
          request={ask.request}
          call={ask.call}
          session={asking.session}
          onDone={onDone}
        />
      );
    case "approval":
      return <ApprovalActs target={target} title={asking.title} onDone={onDone} />;
    case "merge":
      return (
        <MergeActs target={target} title={asking.title} conflict={ask.conflict} onDone={onDone} />
      );
    case "input":
      return <InputActs target={target} title={asking.title} ask={ask} onDone={onDone} />;
    case "interrupted":
      return (
        <InterruptedActs
          target={target}
          title={asking.title}
          canResume={ask.canResume}
          onDone={onDone}
        />
      );
  }
}
