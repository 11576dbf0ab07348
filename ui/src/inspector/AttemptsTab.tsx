import type { ReactElement } from "react";
import type { AttemptView, Node, NodeRunView, RunView } from "@/api/bindings";
import { useNodeAttempts } from "@/attempt/useNodeAttempts";
import { ButtonLink } from "@/components/ButtonLink";
import { classes } from "@/components/classes";
import { ErrorState } from "@/components/ErrorState";
import type { NodeStateAppearance } from "@/components/nodeState";
import { RelativeTime } from "@/components/RelativeTime";
import { Skeleton } from "@/components/Skeleton";
import { StateIcon } from "@/components/StateIcon";
import { Cost, TokenCount } from "@/components/TokenCount";
import { toSentence } from "@/components/toSentence";
import { WorkedTime } from "@/components/WorkedTime";
import { waitedText } from "@/components/workTime";
import { useEditor } from "@/plan/editor";
import { paths } from "@/shell/paths";
import { attemptRecoveryHint } from "./attemptRecoveryHint";
import { NodeActions } from "./NodeActions";
import { SessionTail } from "./SessionTail";

export interface AttemptsTabProps {
  node: Node;
  run: RunView | undefined;
  nodeRun: NodeRunView | undefined;
}

/** The attempts of a node, newest first, with the actions on the node. */
export function AttemptsTab({ node, run, nodeRun }: AttemptsTabProps): ReactElement {
  const { read, attempts, shown, show } = useNodeAttempts(run?.summary.id, node.id);
  if (!run) {
    return (
      <p className="px-4 py-4 text-muted">
        No attempts yet. Approve and run the blueprint. Every attempt of this node is kept here.
      </p>
    );
  }
  return (
    <div className="flex flex-col">
      <div className="px-4 py-3">
        <NodeActions node={node} run={run} nodeRun={nodeRun} />
      </div>
      {read.isPending && (
        <div className="px-4">
          <Skeleton width="70%" />
        </div>
      )}
      {read.isError && (
        <ErrorState title="Couldn't load the attempts" onRetry={() => void read.refetch()}>
          {read.error.message}
        </ErrorState>
      )}
      {read.data && attempts.length === 0 && (
        <p className="px-4 pb-3 text-muted">This node hasn't started in this run.</p>
      )}
      <ul aria-label="Attempts" className="flex flex-col border-t">
        {attempts.map((attempt) => (
          <li key={attempt.attempt} className="border-b">
            <AttemptRow
              attempt={attempt}
              look={lookOfAttempt(attempt, nodeRun)}
              isShown={attempt === shown}
              onShow={() => show(attempt.attempt)}
            />
            {attempt === shown && <AttemptDetail node={node} attempt={attempt} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function lookOfAttempt(
  attempt: AttemptView,
  nodeRun: NodeRunView | undefined,
): NodeStateAppearance {
  switch (attempt.outcome?.kind) {
    case "succeeded":
      return { state: "done" };
    case "failed":
      return { state: "failed" };
    case "cancelled":
    case "lost":
    case "tampered":
      return { state: "interrupted" };
    case undefined:
      return nodeRun?.state.state === "waiting" && nodeRun.attempt === attempt.attempt
        ? { state: "waiting" }
        : { state: "running" };
  }
}

interface AttemptRowProps {
  attempt: AttemptView;
  look: NodeStateAppearance;
  isShown: boolean;
  onShow: () => void;
}

function AttemptRow({ attempt, look, isShown, onShow }: AttemptRowProps): ReactElement {
  const { startedAt, times, agent, reason, cause, usage } = attempt;
  const waited = waitedText(times);
  return (
    <button
      type="button"
      aria-expanded={isShown}
      onClick={onShow}
      className={classes(
        "grid w-full grid-cols-[--spacing(4)_minmax(0,1fr)_auto] gap-x-2 px-4 py-1.5 text-left hover:bg-hover",
        isShown && "bg-raised",
      )}
    >
      <span className="flex h-5 items-center">
        <StateIcon {...look} />
      </span>
      <span className="min-w-0">
        <span className="font-medium">Attempt {attempt.attempt}</span>
        <span className="ml-2 text-12 text-faint">{agent ?? "command"}</span>
      </span>
      <span className="text-right text-12 text-muted leading-5">
        <WorkedTime times={times} />
      </span>
      {cause !== undefined && (
        <span className="col-span-2 col-start-2 break-words text-12 text-muted">
          {toSentence(cause)}
        </span>
      )}
      {agent !== null && reason !== undefined && (
        <span className="col-span-2 col-start-2 break-words text-12 text-muted">
          {toSentence(reason)}
        </span>
      )}
      <span className="col-start-1" />
      <span className="col-span-2 flex flex-wrap gap-x-3 text-12 text-faint">
        {startedAt !== null && (
          <span>
            Started <RelativeTime at={startedAt} />
          </span>
        )}
        {waited !== undefined && <span>{toSentence(waited)}</span>}
        {agent !== null && (
          <>
            <span>
              Tokens <TokenCount tokens={sum(usage.inputTokens, usage.outputTokens)} />
            </span>
            <span>
              Cost <Cost dollars={usage.usd} />
            </span>
          </>
        )}
      </span>
    </button>
  );
}

/** Returns null if either number is unknown. */
function sum(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

function AttemptDetail({ node, attempt }: { node: Node; attempt: AttemptView }): ReactElement {
  const plan = useEditor((editor) => editor.plan.id);
  const hint = attempt.outcome && attemptRecoveryHint(attempt.outcome, node);
  return (
    <div className="flex flex-col gap-2 bg-raised px-4 pb-3 pl-10">
      {attempt.outcome && (
        <p dir="auto" className="select-text break-words">
          {toSentence(attempt.sentence)}
          {hint && <span className="mt-0.5 block text-12 text-muted">{hint}</span>}
        </p>
      )}
      <SessionTail session={attempt.session} />
      <span className="flex flex-wrap gap-1.5">
        <ButtonLink size="small" to={paths.node(plan, node.id)}>
          Open timeline
        </ButtonLink>
        <ButtonLink size="small" to={paths.sessionChanges(attempt.session)}>
          Review changes
        </ButtonLink>
      </span>
    </div>
  );
}
