import { type ReactElement, useState } from "react";
import type { Answer, AskedCall, NodeId, RunId, SessionId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { useKeysFor } from "@/commands/bindings";
import type { LocalId } from "@/commands/localKeys";
import { Button } from "@/components/Button";
import { CodeWords } from "@/components/CodeWords";
import { Select } from "@/components/Select";
import { Tooltip } from "@/components/Tooltip";
import { ActLine } from "./ActLine";
import { DenyForm } from "./DenyForm";
import { answerWords, beginWords, leaveWords } from "./leaveWords";
import { type OnDone, useAct } from "./useAct";

interface PermissionActsProps {
  target: { run: RunId; node: NodeId };
  request: string;
  /** The call: what a permission for more than once covers. None: only this once. */
  call: AskedCall | null;
  /** The session that asks. None: commands can only be allowed as they are. */
  session: SessionId | null;
  onDone?: OnDone;
}

type Yes = Exclude<Answer["kind"], "deny">;

const yesses: { kind: Yes; label: string; by: LocalId }[] = [
  { kind: "allow_once", label: "Allow once", by: "inbox_yes" },
  { kind: "allow_node", label: "Allow for this node", by: "inbox_for_node" },
  { kind: "allow_plan", label: "Allow for this blueprint", by: "inbox_for_plan" },
];

const exactly = "exactly";
const none: readonly string[] = [];

/** The answers to an open question of a session: how far yes reaches, or no with words for the agent. */
export function PermissionActs({
  target,
  request,
  call,
  session,
  onDone,
}: PermissionActsProps): ReactElement {
  const answer = useAct("node_answer", onDone);
  const choices = useChoices(session, request, call);
  const [chosen, setChosen] = useState(exactly);
  const begins = choices.find((choice) => choice.join("\n") === chosen) ?? none;
  const [explaining, setExplaining] = useState(false);
  const said = answer.variables?.answer;
  const say = (what: Answer) => answer.act({ ...target, request, answer: what }, answerWords(what));
  const saying = answer.isPending ? said?.kind : undefined;
  const allow = (kind: Yes) =>
    say(kind === "allow_once" || begins.length === 0 ? { kind } : { kind, begins: [...begins] });

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
              onPress={() => allow(kind)}
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
      {choices.length > 0 && !answer.isSuccess && (
        <div className="max-w-96">
          <Select
            label="For this node or blueprint, allow"
            options={[
              { id: exactly, label: "Exactly this command" },
              ...choices.map((choice) => ({
                id: choice.join("\n"),
                label: `Commands that begin with ${beginWords(choice)}`,
              })),
            ]}
            value={chosen}
            onChange={setChosen}
          />
        </div>
      )}
      {call !== null && (
        <p className="text-12 text-faint">
          <CodeWords>{leaveWords(call, begins)}</CodeWords>
        </p>
      )}
    </div>
  );
}

/** The first words that can be allowed instead of the command as it is: each choice covers the whole command. */
function useChoices(session: SessionId | null, request: string, call: AskedCall | null) {
  const wanted = session !== null && call !== null && call.command !== null;
  const question = useOperation(
    "session_question",
    { session: session ?? "", request },
    { enabled: wanted },
  );
  return wanted ? (question.data?.begins ?? []) : [];
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
