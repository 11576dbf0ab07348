import { type ReactElement, useMemo } from "react";
import type { AttemptView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { SessionFacts } from "./SessionFacts";
import { SessionTimeline } from "./SessionTimeline";
import type { OpenQuestion } from "./surroundings";

export interface AttemptTimelineProps {
  attempt: AttemptView;
  question: OpenQuestion | undefined;
  /** Command line, directory and end above the timeline. */
  facts?: boolean;
  ownsFind?: boolean;
}

/** The timeline of one attempt: at the end while it lives or when it failed, from the beginning when all went well. */
export function AttemptTimeline(props: AttemptTimelineProps): ReactElement {
  const { attempt, question, facts = false, ownsFind = false } = props;
  const session = useOperation("session_get", { session: attempt.session }, { enabled: facts });
  const source = useMemo(
    () => ({ kind: "session", session: attempt.session }) as const,
    [attempt.session],
  );
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {session.data && <SessionFacts session={session.data} attempt={attempt} />}
      <SessionTimeline
        key={attempt.session}
        source={source}
        startedAt={attempt.startedAt}
        follow={attempt.outcome?.kind !== "succeeded"}
        question={question}
        ownsFind={ownsFind}
      />
    </div>
  );
}
