import { type ReactElement, useState } from "react";
import type { Answer, AskedCall, NodeId, RunId } from "@/api/bindings";
import { useKeysFor } from "@/commands/bindings";
import type { LocalId } from "@/commands/localKeys";
import { Button } from "@/components/Button";
import { Tooltip } from "@/components/Tooltip";
import { ActLine } from "./ActLine";
import { DenyForm } from "./DenyForm";
import { answerWords, leaveWords } from "./leaveWords";
import { type OnDone, useAct } from "./useAct";

interface PermissionActsProps {
  target: { run: RunId; node: NodeId };
  request: string;
  /** The call: what leave for more than once is given for. None: only this once. */
  call: AskedCall | null;
  onDone?: OnDone;
}

type Yes = Exclude<Answer["kind"], "deny">;

const yesses: { kind: Yes; label: string; by: LocalId }[] = [
  { kind: "allow_once", label: "Allow", by: "inbox_yes" },
  { kind: "allow_node", label: "Allow for the node", by: "inbox_for_node" },
  { kind: "allow_plan", label: "Allow for the plan", by: "inbox_for_plan" },
];

/** The answers to an open question of a session: how far yes reaches, or no with words for the agent. */
export function PermissionActs({
  target,
  request,
  call,
  onDone,
}: PermissionActsProps): ReactElement {
  const answer = useAct("node_answer", onDone);
  const [explaining, setExplaining] = useState(false);
  const said = answer.variables?.answer;
  const say = (what: Answer) => answer.act({ ...target, request, answer: what }, answerWords(what));
  const saying = answer.isPending ? said?.kind : undefined;

  if (explaining && !answer.isSuccess) {
    return (
      <ActLine error={answer.error}>
        <DenyForm
          sending={saying === "deny"}
          onDeny={(reason) => say({ kind: "deny", reason })}
          onLeave={() => setExplaining(false)}
        />
      </ActLine>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <ActLine
        error={answer.error}
        done={answer.isSuccess && said !== undefined ? answerWords(said) : undefined}
      >
        {yesses
          .filter(({ kind }) => kind === "allow_once" || call !== null)
          .map(({ kind, label, by }) => (
            <Act
              key={kind}
              label={label}
              by={by}
              primary={kind === "allow_once"}
              busy={saying === kind}
              onPress={() => say({ kind })}
            />
          ))}
        <Act
          label="Deny"
          by="inbox_no"
          busy={saying === "deny"}
          onPress={() => say({ kind: "deny", reason: "" })}
        />
        <Act label="Deny with a reason" by="inbox_reason" onPress={() => setExplaining(true)} />
      </ActLine>
      {call !== null && <p className="text-12 text-faint">{leaveWords(call)}</p>}
    </div>
  );
}

interface ActProps {
  label: string;
  /** The command whose keys press it while the question has the focus. */
  by: LocalId;
  primary?: boolean;
  busy?: boolean;
  onPress: () => void;
}

function Act({ label, by, primary = false, busy = false, onPress }: ActProps): ReactElement {
  const keys = useKeysFor(by);
  return (
    <Tooltip content={label} keys={keys}>
      <Button
        size="small"
        kind={primary ? "primary" : "secondary"}
        aria-keyshortcuts={keys}
        data-answer={by}
        busy={busy}
        onClick={onPress}
      >
        {label}
      </Button>
    </Tooltip>
  );
}
