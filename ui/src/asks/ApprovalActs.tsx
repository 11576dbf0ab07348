import type { ReactElement } from "react";
import type { NodeId, RunId } from "@/api/bindings";
import { ActLine } from "./ActLine";
import { type OnDone, useAct } from "./useAct";
import { YesNo } from "./YesNo";

interface ApprovalActsProps {
  target: { run: RunId; node: NodeId };
  title: string;
  onDone: OnDone;
}

/** Lets a node start, or not. */
export function ApprovalActs({ target, title, onDone }: ApprovalActsProps): ReactElement {
  const approve = useAct("node_approve", onDone);
  return (
    <ActLine error={approve.error}>
      <YesNo
        yes="Approve"
        no="Refuse"
        saying={approve.isPending ? approve.variables?.allow : undefined}
        onSay={(allow) =>
          approve.act({ ...target, allow }, `${title} ${allow ? "may start" : "will not start"}`)
        }
      />
    </ActLine>
  );
}
