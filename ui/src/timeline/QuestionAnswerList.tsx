import { type ReactElement, type ReactNode, useEffect } from "react";
import type { Node, NodeRunView, RunView } from "@/api/bindings";
import { describeActor } from "@/components/actor";
import { ErrorState } from "@/components/ErrorState";
import { RelativeTime } from "@/components/RelativeTime";
import { Skeleton } from "@/components/Skeleton";
import { NodePendingItem } from "@/pending/NodePendingItem";
import { pendingItemForNode } from "@/pending/pendingItem";
import { stateReason } from "@/plan/nodeText";
import { useRunHistory } from "@/run/useRunHistory";
import { collectQuestionAnswers, type QuestionAnswer } from "./questionAnswers";

export interface QuestionAnswerListProps {
  run: RunView;
  node: Node;
  nodeRun: NodeRunView | undefined;
  /** Shown when nothing was asked yet. */
  nothing: ReactNode;
}

/** The questions and answers of a node without a session, and the answer form while it waits. */
export function QuestionAnswerList(props: QuestionAnswerListProps): ReactNode {
  const { run, node, nodeRun, nothing } = props;
  const history = useRunHistory(run);
  const { rows, more, reading, error, readEarlier } = history;
  const exchanges = collectQuestionAnswers(rows, node.id);
  const hasStarted = nodeRun !== undefined && nodeRun.attempt > 0;
  const wanted = hasStarted && exchanges.at(-1)?.attempt !== 1;
  useEffect(() => {
    if (wanted && more && !reading && !error) readEarlier();
  }, [wanted, more, reading, error, readEarlier]);

  if (!hasStarted) return nothing;
  if (error) {
    return (
      <ErrorState title="Couldn't load the history" detail={error.code} onRetry={history.retry}>
        {error.message}
      </ErrorState>
    );
  }
  const pendingItem = pendingItemForNode(run.summary.id, nodeRun, node.title);
  const past = exchanges.filter(
    ({ attempt, answer }) => answer || !pendingItem || attempt !== nodeRun.attempt,
  );
  if (exchanges.length === 0 && !pendingItem)
    return wanted && (more || reading || rows.length === 0) ? <Reading /> : nothing;
  const titleOf = (id: string) =>
    run.plan.nodes.find((other) => other.id === id)?.title ?? "another node";
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      {pendingItem && <NodePendingItem item={pendingItem} />}
      <ol aria-label="Questions and answers" className="flex max-w-180 flex-col gap-4 p-4">
        {past.map((exchange, at) => (
          <li key={exchange.attempt}>
            <ExchangeView
              exchange={exchange}
              reason={at === 0 && !pendingItem ? stateReason(nodeRun.state, titleOf) : undefined}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Reading(): ReactElement {
  return (
    <div role="status" aria-label="Loading history" className="p-4">
      <Skeleton width={240} />
      <Skeleton width={120} />
    </div>
  );
}

interface ExchangeViewProps {
  exchange: QuestionAnswer;
  /** The state of the node, shown when there is no answer. */
  reason: string | undefined;
}

function ExchangeView({ exchange, reason }: ExchangeViewProps): ReactElement {
  const { question, askedAt, answer } = exchange;
  return (
    <article className="overflow-hidden rounded-card border">
      <Said who="The node asked" at={askedAt}>
        {question}
      </Said>
      {answer ? (
        <div className="border-t bg-raised">
          <Said who={answeredBy(answer.row.actor)} at={answer.row.at}>
            {answer.words}
          </Said>
        </div>
      ) : (
        <p className="border-t bg-raised px-3 py-2 text-muted">
          {reason ?? "No answer was given."}
        </p>
      )}
    </article>
  );
}

/** Returns a line such as "You answered in the window". */
function answeredBy(actor: string): string {
  const { who, channel } = describeActor(actor);
  return [who, "answered", channel].filter(Boolean).join(" ");
}

function Said(props: { who: string; at: number; children: string }): ReactElement {
  return (
    <div className="px-3 py-2">
      <p className="text-12 text-faint">
        {props.who} · <RelativeTime at={props.at} />
      </p>
      <p dir="auto" className="select-text whitespace-pre-wrap break-words">
        {props.children}
      </p>
    </div>
  );
}
