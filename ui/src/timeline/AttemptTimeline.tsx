import { type ReactElement, type ReactNode, useMemo, useState } from "react";
import type { AttemptView, NodeId, RunId, UnlistedToolCall } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { classes } from "@/components/classes";
import { SegmentedControl } from "@/components/SegmentedControl";
import { ContinueSession } from "./ContinueSession";
import { SessionFacts } from "./SessionFacts";
import { SessionTimeline } from "./SessionTimeline";
import type { OpenQuestion } from "./timelineContext";
import { UnlistedToolCalls } from "./UnlistedToolCalls";

export interface AttemptTimelineProps {
  attempt: AttemptView;
  question: OpenQuestion | undefined;
  /** Tool calls of the node that are not in its list of allowed tools. */
  outside?: readonly UnlistedToolCall[] | undefined;
  /**
   * Set when this is the node's latest attempt and it has ended: its session can continue in the
   * run.
   */
  latestOf?: { run: RunId; node: NodeId } | undefined;
  /** Why the session can't be continued now; shown below the timeline instead of the buttons. */
  refusal?: string | undefined;
  /** Shows command line, directory and outcome above the timeline. */
  facts?: boolean;
  ownsFind?: boolean;
  /** Renders the session's output as it was printed. */
  output?: RenderOutput | undefined;
  /** The attempt ran a command: its output is shown instead of a timeline. */
  isCommand?: boolean;
}

/** Renders the output of an attempt. `follow` opens it at its end. */
export type RenderOutput = (attempt: AttemptView, follow: boolean) => ReactNode;

type AttemptContent = "timeline" | "output";

const contents: { id: AttemptContent; label: string }[] = [
  { id: "timeline", label: "Timeline" },
  { id: "output", label: "Raw output" },
];

/**
 * The timeline of one attempt, or its output if it ran a command. Opens at the end while it runs or
 * after a failure, and at the beginning after a success.
 */
export function AttemptTimeline(props: AttemptTimelineProps): ReactElement {
  const { attempt, question, facts = false, ownsFind = false, output, isCommand = false } = props;
  const [chosen, choose] = useState<AttemptContent>("timeline");
  const session = useOperation("session_get", { session: attempt.session }, { enabled: facts });
  const outside = useMemo(
    () => props.outside?.filter((call) => call.attempt === attempt.attempt) ?? [],
    [props.outside, attempt.attempt],
  );
  const source = useMemo(
    () => ({ kind: "session", session: attempt.session }) as const,
    [attempt.session],
  );
  const reach = useMemo(() => ({ session: attempt.session, transcript: null }), [attempt.session]);
  const hasEnded = attempt.agent !== null && attempt.endedAt !== null;
  const follow = attempt.outcome?.kind !== "succeeded";
  const mayChoose = facts && output !== undefined && attempt.agent !== null;
  const showsOutput = attempt.agent === null ? isCommand : mayChoose && chosen === "output";
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {session.data && <SessionFacts session={session.data} attempt={attempt} />}
      <UnlistedToolCalls calls={outside} />
      {mayChoose && (
        <div className="shrink-0 border-b px-4 py-1">
          <SegmentedControl label="View" options={contents} value={chosen} onChange={choose} />
        </div>
      )}
      {/* In a small window the facts shrink, not the timeline. */}
      <div className={classes("flex min-w-0 flex-1 flex-col", facts ? "min-h-40" : "min-h-0")}>
        {output && showsOutput ? (
          output(attempt, follow)
        ) : (
          <SessionTimeline
            key={attempt.session}
            source={source}
            startedAt={attempt.startedAt}
            follow={follow}
            question={question}
            outside={outside}
            ownsFind={ownsFind}
          />
        )}
      </div>
      {hasEnded && props.refusal === undefined && (
        <ContinueSession key={attempt.session} of={reach} node={props.latestOf} />
      )}
      {hasEnded && props.refusal !== undefined && (
        <p className="shrink-0 border-t px-4 py-1.5 text-12 text-faint">{props.refusal}.</p>
      )}
    </div>
  );
}
