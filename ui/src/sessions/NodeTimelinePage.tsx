import { ChevronRight } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { Link, useParams } from "react-router";
import type { Node, NodeRunView, PlanView, RunView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { useRun } from "@/api/useRun";
import { AttemptSelect } from "@/attempt/AttemptSelect";
import { EvidenceView } from "@/attempt/evidence/EvidenceView";
import { HandoffView } from "@/attempt/HandoffView";
import { NodeSummary } from "@/attempt/NodeSummary";
import { ReceivedContext } from "@/attempt/ReceivedContext";
import { useNodeAttempts } from "@/attempt/useNodeAttempts";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { StateLabel } from "@/components/StateLabel";
import { Tabs } from "@/components/Tabs";
import { SessionOutput } from "@/output/SessionOutput";
import { displayTitle, nodeStateAppearance, runReason } from "@/plan/nodeText";
import { MakeBlueprintButton } from "@/planner/MakeBlueprintButton";
import { ChangesView } from "@/review/ChangesView";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { AttemptTimeline } from "@/timeline/AttemptTimeline";
import { canContinueSession } from "@/timeline/canContinueSession";
import { NodeActivity } from "@/timeline/NodeActivity";
import { openQuestion } from "@/timeline/openQuestion";

type TabName = "timeline" | "changes" | "handoff" | "context";

/** The page of one node: timeline, changes, handoff and received context of its attempts. */
export function NodeTimelinePage(): ReactElement {
  const { id = "", nodeId = "" } = useParams();
  const plan = useOperation("plan_get", { plan: id });
  const runId = plan.data?.lastRun?.id;
  const run = useRun(runId);
  const failed = plan.error ?? run.error;

  if (failed) {
    return (
      <>
        <PageHeader title="Node timeline" />
        <ErrorState
          title="Couldn't load the node"
          detail={failed.code}
          onRetry={() => void (plan.error ? plan.refetch() : run.refetch())}
        >
          {failed.message}
        </ErrorState>
      </>
    );
  }
  if (!plan.data || (runId !== undefined && !run.data)) {
    return <PageHeader title="Node timeline" />;
  }
  const node = nodeIn(run.data, plan.data, nodeId);
  if (!node) {
    return (
      <>
        <PageHeader title="Node not found" />
        <EmptyState
          title="This node isn't in the blueprint"
          actions={<ButtonLink to={paths.blueprint(id)}>Open blueprint</ButtonLink>}
        >
          It may have been deleted. Check the address.
        </EmptyState>
      </>
    );
  }
  return <NodePage key={nodeId} plan={plan.data} run={run.data} node={node} />;
}

function nodeIn(run: RunView | undefined, plan: PlanView, id: string): Node | undefined {
  const isIt = (node: Node) => node.id === id;
  return run?.plan.nodes.find(isIt) ?? plan.plan.nodes.find(isIt);
}

interface NodePageProps {
  plan: PlanView;
  run: RunView | undefined;
  node: Node;
}

function NodePage({ plan, run, node }: NodePageProps): ReactElement {
  const [tab, setTab] = useState<TabName>("timeline");
  const runId = run?.summary.id;
  const nodeRun = run?.nodes.find((candidate) => candidate.node === node.id);
  const sessions = useNodeAttempts(runId, node.id);
  const { shown, attempts } = sessions;
  const reason = nodeRun && runReason(nodeRun, titleIn(run));
  const artifact = shown?.artifact ?? null;

  return (
    <>
      <PageHeader
        title={displayTitle(node.title)}
        heading={<Trail plan={plan} node={node} />}
        status={
          nodeRun && (
            <span className="flex min-w-0 items-center gap-2">
              <StateLabel {...nodeStateAppearance(nodeRun)} pill />
              {reason && (
                <span title={reason} className="min-w-0 truncate text-12 text-muted">
                  {reason}
                </span>
              )}
            </span>
          )
        }
        actions={
          <>
            {shown?.session && (
              <MakeBlueprintButton session={shown.session} title={displayTitle(node.title)} />
            )}
            <AttemptSelect attempts={attempts} shown={shown} onShow={sessions.show} />
          </>
        }
      />
      <Tabs<TabName>
        label="Node"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            id: "timeline",
            label: "Timeline",
            content: <TimelineTab {...{ plan, run, node, nodeRun, sessions }} />,
          },
          {
            id: "changes",
            label: "Changes",
            content: <ChangesTab {...{ run, node, sessions }} onSent={() => setTab("timeline")} />,
          },
          {
            id: "handoff",
            label: "Handoff",
            content: (
              <Reading>
                {runId && shown?.outcome && (
                  <NodeSummary run={runId} node={node.id} attempt={shown.attempt} />
                )}
                {artifact ? (
                  <HandoffView artifact={artifact} />
                ) : (
                  <div className="flex flex-col gap-3">
                    <p className="text-faint">This attempt has no handoff.</p>
                    {runId && shown?.outcome && (
                      <EvidenceView run={runId} node={node.id} attempt={shown.attempt} />
                    )}
                  </div>
                )}
              </Reading>
            ),
          },
          {
            id: "context",
            label: "Context",
            content: (
              <Reading>
                {runId ? (
                  <ReceivedContext run={runId} node={node.id} />
                ) : (
                  <p className="text-faint">
                    Run the blueprint to see what this node receives from its parents.
                  </p>
                )}
              </Reading>
            ),
          },
        ]}
      />
    </>
  );
}

interface ChangesTabProps {
  run: RunView | undefined;
  node: Node;
  sessions: ReturnType<typeof useNodeAttempts>;
  onSent: () => void;
}

function ChangesTab({ run, node, sessions, onSent }: ChangesTabProps): ReactElement {
  const { shown, attempts } = sessions;
  if (!run || !shown) {
    return (
      <EmptyState title="No changes yet">
        Run the blueprint to see here what this node changes.
      </EmptyState>
    );
  }
  return (
    <ChangesView
      key={shown.session}
      run={run.summary.id}
      node={node.id}
      attempt={shown}
      attempts={attempts.map(({ attempt }) => attempt)}
      onSent={onSent}
    />
  );
}

function titleIn(run: RunView | undefined) {
  return (id: string) => run?.plan.nodes.find((node) => node.id === id)?.title ?? "another node";
}

function Trail({ plan, node }: { plan: PlanView; node: Node }): ReactElement {
  return (
    <nav aria-label="Breadcrumb" className="flex min-w-0 items-center gap-1">
      <Link
        to={paths.blueprint(plan.plan.id)}
        dir="auto"
        title={plan.plan.title}
        className="min-w-0 max-w-60 shrink truncate text-muted hover:text-fg"
      >
        {displayTitle(plan.plan.title)}
      </Link>
      <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
      <h1 dir="auto" title={node.title} className="min-w-0 truncate font-semibold">
        {displayTitle(node.title)}
      </h1>
    </nav>
  );
}

function Reading({ children }: { children: ReactNode }): ReactElement {
  return <div className="flex w-full max-w-230 flex-col gap-3 p-4">{children}</div>;
}

interface TimelineTabProps {
  plan: PlanView;
  run: RunView | undefined;
  node: Node;
  nodeRun: NodeRunView | undefined;
  sessions: ReturnType<typeof useNodeAttempts>;
}

function TimelineTab(props: TimelineTabProps): ReactElement | null {
  const { plan, run, node, nodeRun, sessions } = props;
  const { read, shown } = sessions;
  if (read.isError) {
    return (
      <ErrorState title="Couldn't load the attempts" onRetry={() => void read.refetch()}>
        {read.error.message}
      </ErrorState>
    );
  }
  if (run && read.isPending) return null;
  const nothing = <NothingYet plan={plan} run={run} nodeRun={nodeRun} />;
  if (!run) return nothing;
  return (
    <NodeActivity
      {...{ run, node, nodeRun, shown, nothing }}
      timeline={(attempt) => (
        <AttemptTimeline
          key={attempt.session}
          attempt={attempt}
          outside={nodeRun?.marks.outside}
          latestOf={
            canContinueSession(nodeRun, attempt)
              ? { run: run.summary.id, node: node.id }
              : undefined
          }
          question={
            attempt.attempt === nodeRun?.attempt ? openQuestion(run.summary.id, nodeRun) : undefined
          }
          facts
          ownsFind
          isCommand={node.kind.kind === "command"}
          output={({ session, startedAt }, follow) => (
            <SessionOutput key={session} {...{ session, startedAt, follow }} ownsFind />
          )}
        />
      )}
    />
  );
}

function NothingYet({
  plan,
  run,
  nodeRun,
}: Omit<TimelineTabProps, "sessions" | "node">): ReactElement {
  const back = (
    <ButtonLink kind="primary" to={paths.blueprint(plan.plan.id)}>
      Open blueprint
    </ButtonLink>
  );
  if (!run) {
    return (
      <EmptyState title="This blueprint hasn't run yet" actions={back}>
        Approve it and select Run all to see this node's activity here.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="This node hasn't started in this run" actions={back}>
      {(nodeRun && runReason(nodeRun, titleIn(run))) ??
        "It starts when the nodes it depends on are done."}
    </EmptyState>
  );
}
