import type { ReactElement } from "react";
import { ApprovalActions } from "./ApprovalActions";
import { InputActions } from "./InputActions";
import { InterruptedActions } from "./InterruptedActions";
import { MergeActions } from "./MergeActions";
import { PermissionActions } from "./PermissionActions";
import { PlanReviewActions } from "./PlanReviewActions";
import type { PendingItem } from "./pendingItem";
import { StalledActions } from "./StalledActions";
import { TakeoverActions } from "./TakeoverActions";
import type { OnDone } from "./useAction";

export interface PendingItemActionsProps {
  item: PendingItem;
  /**
   * Receives a description of the completed action, because the item may be removed before it can
   * show it.
   */
  onDone?: OnDone;
}

/** The buttons to answer an item, in the Inbox and in the inspector. */
export function PendingItemActions({ item, onDone }: PendingItemActionsProps): ReactElement | null {
  const { run, node, ask } = item;
  if (ask.kind === "stalled") {
    return <StalledActions run={run} title={item.title} onDone={onDone} />;
  }
  if (ask.kind === "takeover") {
    return <TakeoverActions run={run} title={item.title} details={ask.details} onDone={onDone} />;
  }
  if (ask.kind === "plan_review") {
    const { revision, needsReview } = ask;
    // The item of a blueprint carries its ID.
    return (
      <PlanReviewActions
        plan={run}
        {...{ revision, needsReview }}
        title={item.title}
        onDone={onDone}
      />
    );
  }
  // Proposals are reviewed on their own page. For an error handler, the row leads to the failed run.
  if (node === null || ask.kind === "proposal" || ask.kind === "handler_not_started") return null;
  const target = { run, node };
  switch (ask.kind) {
    case "permission":
      return (
        <PermissionActions
          target={target}
          request={ask.request}
          call={ask.call}
          session={item.session}
          onDone={onDone}
        />
      );
    case "approval":
      return <ApprovalActions target={target} title={item.title} onDone={onDone} />;
    case "merge":
      return (
        <MergeActions target={target} title={item.title} conflict={ask.conflict} onDone={onDone} />
      );
    case "input":
      return <InputActions target={target} title={item.title} ask={ask} onDone={onDone} />;
    case "interrupted":
      return (
        <InterruptedActions
          target={target}
          title={item.title}
          canResume={ask.canResume}
          onDone={onDone}
        />
      );
  }
}
