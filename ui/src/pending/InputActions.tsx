import type { ReactElement } from "react";
import type { NodeId, RunId } from "@/api/bindings";
import { RelativeTime } from "@/components/RelativeTime";
import { removeDraft } from "@/shell/drafts";
import { ActionRow } from "./ActionRow";
import type { InputAsk } from "./answerError";
import { InputForm } from "./InputForm";
import { type OnDone, useAction } from "./useAction";

interface InputActionsProps {
  target: { run: RunId; node: NodeId };
  title: string;
  ask: InputAsk;
  onDone: OnDone;
}

/** The form to answer a node's question, and when the question times out. */
export function InputActions({ target, title, ask, onDone }: InputActionsProps): ReactElement {
  const draftName = `answer/${target.run}/${target.node}`;
  const give = useAction("node_input", (words) => {
    removeDraft(draftName);
    onDone?.(words);
  });
  return (
    <ActionRow error={give.error}>
      <InputForm
        ask={ask}
        draftName={draftName}
        sending={give.isPending ? give.variables?.value : undefined}
        onSend={(value) => give.act({ ...target, value }, `Answered ${title}`)}
      />
      {ask.due !== null && (
        <p className="w-full text-12 text-faint">
          Fails <RelativeTime at={ask.due} mayBeFuture /> without an answer.
        </p>
      )}
    </ActionRow>
  );
}
