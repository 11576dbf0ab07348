import type { ReactElement } from "react";
import type { NodeId, RunId } from "@/api/bindings";
import { ActLine } from "./ActLine";
import { type OnDone, useAct } from "./useAct";
import { YesNo } from "./YesNo";

interface PermissionActsProps {
  target: { run: RunId; node: NodeId };
  request: string;
  onDone?: OnDone;
}

/** Allow and deny for an open question of a session. */
export function PermissionActs({ target, request, onDone }: PermissionActsProps): ReactElement {
  const answer = useAct("node_answer", onDone);
  const words = (allow: boolean) => `${allow ? "Allowed" : "Denied"}, the session goes on`;
  const said = answer.variables?.allow;

  return (
    <ActLine
      error={answer.error}
      done={answer.isSuccess && said !== undefined ? words(said) : undefined}
    >
      <YesNo
        yes="Allow"
        no="Deny"
        saying={answer.isPending ? said : undefined}
        onSay={(allow) => answer.act({ ...target, request, allow }, words(allow))}
      />
    </ActLine>
  );
}
