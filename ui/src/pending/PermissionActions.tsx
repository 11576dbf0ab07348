import { type ReactElement, useState } from "react";
import type { Answer, NodeId, RequestedToolCall, RunId, SessionId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { useKeysFor } from "@/commands/keyBindings";
import type { LocalCommandId } from "@/commands/localCommands";
import { Button } from "@/components/Button";
import { InlineCodeText } from "@/components/InlineCodeText";
import { Select } from "@/components/Select";
import { Tooltip } from "@/components/Tooltip";
import { removeDraft } from "@/shell/drafts";
import { ActionRow } from "./ActionRow";
import { type NumberedAnswer, numberedAnswer, numberMark } from "./answerKeys";
import { DenyForm } from "./DenyForm";
import { describeAnswer, describePermissionScope, formatCommandPrefixes } from "./permissionText";
import { type OnDone, useAction } from "./useAction";

interface PermissionActionsProps {
  target: { run: RunId; node: NodeId };
  request: string;
  /** The call that a lasting permission would cover. Null: it can only be allowed once. */
  call: RequestedToolCall | null;
  /** The session that asks. Null: only the exact command can be allowed, no prefixes. */
  session: SessionId | null;
  onDone?: OnDone;
}

type AllowKind = Exclude<Answer["kind"], "deny">;

const allowChoices: { kind: AllowKind; label: string; by: LocalCommandId }[] = [
  { kind: "allow_once", label: "Allow once", by: "inbox_yes" },
  { kind: "allow_node", label: "Allow for this node", by: "inbox_for_node" },
  { kind: "allow_plan", label: "Allow for this blueprint", by: "inbox_for_plan" },
];

const exactly = "exactly";
const none: readonly string[] = [];

/**
 * Buttons to answer a permission request: allow with a scope, or deny, optionally with a reason for
 * the agent.
 */
export function PermissionActions({
  target,
  request,
  call,
  session,
  onDone,
}: PermissionActionsProps): ReactElement {
  const reasonDraft = `reason/${target.run}/${target.node}/${request}`;
  const answer = useAction("node_answer", (words) => {
    removeDraft(reasonDraft);
    onDone?.(words);
  });
  const choices = useChoices(session, request, call);
  const [chosen, setChosen] = useState(exactly);
  const begins = choices.find((choice) => choice.join("\n") === chosen) ?? none;
  const [explaining, setExplaining] = useState(false);
  const sentAnswer = answer.variables?.answer;
  const sendAnswer = (what: Answer) =>
    answer.act({ ...target, request, answer: what }, describeAnswer(what));
  const allowed = allowChoices.filter(({ kind }) => kind === "allow_once" || call !== null);
  const sending = answer.isPending ? sentAnswer?.kind : undefined;
  const allow = (kind: AllowKind) =>
    sendAnswer(
      kind === "allow_once" || begins.length === 0 ? { kind } : { kind, begins: [...begins] },
    );

  if (explaining && !answer.isSuccess) {
    return (
      <ActionRow error={answer.error}>
        <DenyForm
          draftName={reasonDraft}
          sending={sending === "deny"}
          onDeny={(reason) => sendAnswer({ kind: "deny", reason })}
          onCancel={() => setExplaining(false)}
        />
      </ActionRow>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <ActionRow
        error={answer.error}
        done={answer.isSuccess && sentAnswer !== undefined ? describeAnswer(sentAnswer) : undefined}
      >
        {allowed.map(({ kind, label, by }, at) => (
          <AnswerButton
            key={kind}
            at={at}
            commits
            label={label}
            by={by}
            primary={kind === "allow_once"}
            busy={sending === kind}
            onPress={() => allow(kind)}
          />
        ))}
        <AnswerButton
          at={allowed.length}
          label="Deny"
          by="inbox_no"
          busy={sending === "deny"}
          onPress={() => sendAnswer({ kind: "deny", reason: "" })}
        />
        <AnswerButton
          at={allowed.length + 1}
          label="Deny with a reason"
          by="inbox_reason"
          onPress={() => setExplaining(true)}
        />
      </ActionRow>
      {choices.length > 0 && !answer.isSuccess && (
        <div className="max-w-96">
          <Select
            label="For this node or blueprint, allow"
            options={[
              { id: exactly, label: "Exactly this command" },
              ...choices.map((choice) => ({
                id: choice.join("\n"),
                label: `Commands that begin with ${formatCommandPrefixes(choice)}`,
              })),
            ]}
            value={chosen}
            onChange={setChosen}
          />
        </div>
      )}
      {call !== null && (
        <p className="text-12 text-faint">
          <InlineCodeText>{describePermissionScope(call, begins)}</InlineCodeText>
        </p>
      )}
    </div>
  );
}

/**
 * Returns the command prefixes that can be allowed instead of the exact command. Each covers the
 * whole command.
 */
function useChoices(session: SessionId | null, request: string, call: RequestedToolCall | null) {
  const wanted = session !== null && call !== null && call.command !== null;
  const question = useOperation(
    "session_question",
    { session: session ?? "", request },
    { enabled: wanted },
  );
  return wanted ? (question.data?.begins ?? []) : [];
}

interface AnswerButtonProps extends Pick<NumberedAnswer, "at" | "commits"> {
  label: string;
  /** The command whose shortcut chooses this button while the item is focused. */
  by: LocalCommandId;
  primary?: boolean;
  busy?: boolean;
  onPress: () => void;
}

function AnswerButton({
  label,
  by,
  at,
  commits = false,
  primary = false,
  busy = false,
  onPress,
}: AnswerButtonProps): ReactElement {
  const keys = useKeysFor(by);
  return (
    <Tooltip content={label} keys={keys}>
      <Button
        size="small"
        kind={primary ? "primary" : "secondary"}
        {...numberedAnswer({ at, commits, keys })}
        className={numberMark}
        data-answer={by}
        busy={busy}
        onClick={onPress}
      >
        {label}
      </Button>
    </Tooltip>
  );
}
