import type { ReactElement } from "react";
import type { RequestView } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ActionRow } from "@/pending/ActionRow";
import { type AgentQuestion, requesterName } from "@/pending/agentRequest";
import { InputForm } from "@/pending/InputForm";
import { removeDraft } from "@/shell/drafts";

export interface QuestionActionsProps {
  request: RequestView;
  question: AgentQuestion;
  onDone: (words: string) => void;
  onFailed: () => void;
}

/** The form to answer a question of a node's session, which waits for it, or to decline it. */
export function QuestionActions(props: QuestionActionsProps): ReactElement {
  const { request, question, onDone, onFailed } = props;
  const answer = useMutationOperation("question_answer");
  const decline = useMutationOperation("request_refuse");
  const who = requesterName(request);
  const draftName = `answer/${request.id}`;
  const { options } = question;
  return (
    <ActionRow error={(answer.error ?? decline.error)?.message}>
      <InputForm
        ask={{
          kind: "input",
          question: question.text,
          inputType: options.length > 0 ? "choice" : "text",
          options,
          due: null,
        }}
        draftName={draftName}
        sending={answer.isPending ? answer.variables.answer : undefined}
        onSend={(text) =>
          // Unlike the callbacks of `mutate`, a promise also settles after the row is unmounted.
          void answer.mutateAsync({ request: request.id, answer: text }).then(() => {
            removeDraft(draftName);
            onDone(`Answered ${who}`);
          }, onFailed)
        }
      />
      <Button
        size="small"
        busy={decline.isPending}
        onClick={() =>
          void decline
            .mutateAsync({ request: request.id })
            .then(() => onDone(`Declined the question from ${who}`), onFailed)
        }
      >
        Don't answer
      </Button>
      {question.fallback !== undefined && (
        <p dir="auto" className="w-full break-words text-12 text-faint">
          Without an answer: {question.fallback}
        </p>
      )}
    </ActionRow>
  );
}
