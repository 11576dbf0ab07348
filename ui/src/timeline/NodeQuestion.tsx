import type { ReactElement } from "react";
import type { SessionId, TimelineEntry } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { StateIcon } from "@/components/StateIcon";
import { QuestionActions } from "./QuestionActions";
import type { OpenQuestion } from "./surroundings";
import { inputText } from "./tools";

/** How far from the end of the session the call is looked for. */
const reach = 40;

/** A question of a session with the exact call that it is about, and the buttons that answer it. */
export function NodeQuestion({
  question,
  session,
}: {
  question: OpenQuestion;
  session: SessionId | null;
}): ReactElement {
  const tail = useOperation(
    "session_timeline",
    { session: session ?? "", from: -reach, limit: reach, since: null },
    { enabled: session !== null },
  );
  const call = tail.data?.entries.map(callOf(question.request)).find((text) => text !== undefined);

  return (
    <section
      aria-label="Question of this node"
      className="flex shrink-0 flex-col gap-2 border-b bg-state-waiting-tint px-3 py-2.5"
    >
      <p className="flex items-start gap-2 font-medium">
        <span className="mt-0.5 flex">
          <StateIcon state="waiting" waitingFor="person" decorative />
        </span>
        <span dir="auto" className="min-w-0 select-text break-words">
          {question.question}
        </span>
      </p>
      {call && (
        <pre className="max-h-40 overflow-auto whitespace-pre-wrap break-words rounded-control border bg-surface px-2.5 py-1.5 text-12">
          {call}
        </pre>
      )}
      <QuestionActions question={question} />
    </section>
  );
}

function callOf(request: string) {
  return ({ kind }: TimelineEntry): string | undefined =>
    kind.type === "permission" && kind.request === request
      ? inputText(kind.tool, kind.input)
      : undefined;
}
