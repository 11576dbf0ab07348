import type { ReactElement } from "react";
import type { NodeId, RunId } from "@/api/bindings";
import { ActionRow } from "./ActionRow";
import { type OnDone, useAction } from "./useAction";
import { YesNoButtons } from "./YesNoButtons";

interface ApprovalActsProps {
  target: { run: RunId; node: NodeId };
  title: string;
  onDone: OnDone;
}

/** Buttons that approve or reject the start of a node. */
export function ApprovalActions({ target, title, onDone }: ApprovalActsProps): ReactElement {
  const approve = useAction("node_approve", onDone);
  return (
    <ActionRow error={approve.error}>
      <YesNoButtons
        yes="Approve"
        no="Reject"
        commits
        sending={approve.isPending ? approve.variables?.allow : undefined}
        onAnswer={(allow) =>
          approve.act({ ...target, allow }, `${title} ${allow ? "was approved" : "was rejected"}`)
        }
      />
    </ActionRow>
  );
}
