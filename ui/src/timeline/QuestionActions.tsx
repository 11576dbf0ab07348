import type { ReactElement } from "react";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import type { OpenQuestion } from "./surroundings";

/** Allow and Deny for an open question. A refused answer says why in place. */
export function QuestionActions({ question }: { question: OpenQuestion }): ReactElement {
  const answer = useMutationOperation("node_answer");
  const { run, node, request } = question;
  const say = (allow: boolean) => answer.mutate({ run, node, request, allow });
  const answered = answer.variables?.allow;

  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        size="small"
        kind="primary"
        busy={answer.isPending && answered === true}
        onClick={() => say(true)}
      >
        Allow
      </Button>
      <Button size="small" busy={answer.isPending && answered === false} onClick={() => say(false)}>
        Deny
      </Button>
      {answer.isSuccess && (
        <span role="status" className="text-12 text-faint">
          {answered ? "Allowed" : "Denied"}, the session goes on
        </span>
      )}
      {answer.error && (
        <span role="alert" className="text-12 text-danger-fg">
          The answer was not taken. {answer.error.message}
        </span>
      )}
    </div>
  );
}
