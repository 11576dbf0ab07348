import { type ReactElement, useState } from "react";
import { Link } from "react-router";
import type { InboxItem, Node, NodeRunView, RunView } from "@/api/bindings";
import { useRun } from "@/api/useRun";
import { ReceivedContext } from "@/attempt/ReceivedContext";
import { ErrorState } from "@/components/ErrorState";
import { formatNumber } from "@/components/formatCount";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { RunStateLabel } from "@/components/RunStateLabel";
import { summarizeRunStatus } from "@/components/runStatus";
import { Skeleton } from "@/components/Skeleton";
import { StateLabel } from "@/components/StateLabel";
import { SessionOutput } from "@/output/SessionOutput";
import { displayTitle, nodeStateAppearance } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import { PlanSimulation } from "@/simulation/PlanSimulation";
import type { RenderOutput } from "@/timeline/AttemptTimeline";
import { NodeTimelinePanel } from "@/timeline/NodeTimelinePanel";

const head = "flex min-h-11 shrink-0 items-center gap-2 border-b px-4 py-1";

/** The part of an item that the preview needs. */
export interface PreviewItem extends Pick<InboxItem, "run" | "plan" | "planTitle"> {
  node: { id: string } | null;
  /** Left out for agent requests. */
  ask?: InboxItem["ask"];
}

/**
 * Context for answering an item: the session that asks, what a node would receive, or the state of
 * the run.
 */
export function InboxItemPreview({ item }: { item: PreviewItem }): ReactElement {
  return item.ask?.kind === "plan_review" ? (
    <PlanPreview key={item.plan} item={item} />
  ) : (
    <RunItemPreview item={item} />
  );
}

/** What a run of a submitted blueprint would do. */
function PlanPreview({ item: { plan, planTitle } }: { item: PreviewItem }): ReactElement {
  const title = displayTitle(planTitle);
  return (
    <section aria-label={title} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className={head}>
        <h2 dir="auto" title={title} className="min-w-0 truncate font-medium">
          {title}
        </h2>
      </header>
      <div {...keyboardScrollable} className="min-h-0 flex-1 overflow-auto p-4">
        <PlanSimulation plan={plan} />
      </div>
    </section>
  );
}

function RunItemPreview({ item }: { item: PreviewItem }): ReactElement {
  const run = useRun(item.run);
  if (run.isError) {
    return (
      <ErrorState
        title="Couldn't load the run"
        detail={run.error.code}
        onRetry={() => void run.refetch()}
        retrying={run.isFetching}
      >
        {run.error.message}
      </ErrorState>
    );
  }
  if (run.isPending) {
    return (
      <div role="status" aria-label="Loading run" className="p-4">
        <Skeleton width="50%" />
      </div>
    );
  }
  const node = run.data.plan.nodes.find(({ id }) => id === item.node?.id);
  return node ? (
    <NodePreview key={node.id} plan={item.plan} run={run.data} node={node} />
  ) : (
    <RunPreview item={item} run={run.data} />
  );
}

interface NodePreviewProps {
  plan: string;
  run: RunView;
  node: Node;
}

const renderOutput: RenderOutput = ({ session, startedAt }, follow) => (
  <SessionOutput key={session} {...{ session, startedAt, follow }} />
);

function NodePreview({ plan, run, node }: NodePreviewProps): ReactElement {
  const [headPlace, setHeadPlace] = useState<HTMLElement | null>(null);
  const title = displayTitle(node.title);
  const nodeRun = run.nodes.find((each) => each.node === node.id);
  const hasSession = nodeRun?.session != null;
  return (
    <section aria-label={title} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header ref={setHeadPlace} className={head}>
        {!hasSession && (
          <>
            <h2 dir="auto" title={title} className="min-w-0 truncate font-medium">
              {title}
            </h2>
            <StateLabel {...nodeStateAppearance(nodeRun)} />
          </>
        )}
      </header>
      {hasSession ? (
        <NodeTimelinePanel {...{ plan, run, node, headPlace }} output={renderOutput} />
      ) : (
        <div className="min-h-0 w-full max-w-230 flex-1 overflow-auto p-4">
          <ReceivedContext run={run.summary.id} node={node.id} />
        </div>
      )}
    </section>
  );
}

/** The maximum number of listed nodes. The graph has them all. */
const maxNodes = 50;

/** The node states of a run, for items that concern the whole run. Unfinished nodes come first. */
function RunPreview({ item, run }: { item: PreviewItem; run: RunView }): ReactElement {
  const title = displayTitle(item.planTitle);
  const isOver = ({ state }: NodeRunView) => state.state === "done" || state.state === "skipped";
  const nodes = run.nodes.toSorted((one, other) => Number(isOver(one)) - Number(isOver(other)));
  const titles = new Map(run.plan.nodes.map((node) => [node.id, displayTitle(node.title)]));
  return (
    <section aria-label={title} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className={head}>
        <h2 dir="auto" title={title} className="min-w-0 truncate font-medium">
          {title}
        </h2>
        <RunStateLabel {...summarizeRunStatus(run.summary)} />
      </header>
      <ul className="min-h-0 flex-1 overflow-auto">
        {nodes.slice(0, maxNodes).map((nodeRun) => (
          <li key={nodeRun.node} className="flex h-8 items-center gap-3 border-b px-4">
            <Link
              to={paths.blueprintAt(item.plan, { run: item.run, node: nodeRun.node })}
              dir="auto"
              title={titles.get(nodeRun.node)}
              className="min-w-0 flex-1 truncate hover:underline"
            >
              {titles.get(nodeRun.node) ?? "Deleted node"}
            </Link>
            <StateLabel {...nodeStateAppearance(nodeRun)} />
          </li>
        ))}
        {nodes.length > maxNodes && (
          <li className="px-4 py-2 text-faint">
            {formatNumber(nodes.length - maxNodes)} more in the graph
          </li>
        )}
      </ul>
    </section>
  );
}
