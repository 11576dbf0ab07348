import type { ReactElement } from "react";
import type { InboxItem, Node, NodeRunView, RunView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { nodeStateHue } from "@/components/nodeState";
import { StateLabel } from "@/components/StateLabel";
import { Tabs } from "@/components/Tabs";
import { formatNodePath, itemsInChildRuns } from "@/pending/childRunItems";
import { NodePendingItem } from "@/pending/NodePendingItem";
import {
  inboxItemKey,
  pendingItemForNode,
  pendingItemFromInbox,
  pendingItemKey,
} from "@/pending/pendingItem";
import { type InspectorTab, useNodeTab } from "@/plan/inspectorTab";
import { KindIcon } from "@/plan/KindIcon";
import { nodeMarkLabels } from "@/plan/nodeMarkLabels";
import { displayTitle, nodeStateAppearance, runReason } from "@/plan/nodeText";
import { AttemptsTab } from "./AttemptsTab";
import { ChildRuns } from "./ChildRuns";
import { EditedSinceRunNotice } from "./EditedSinceRunNotice";
import { HandoffTab } from "./HandoffTab";
import { NoOutputNotice } from "./NoOutputNotice";
import { TaskTab } from "./TaskTab";
import { UnverifiedNotice } from "./UnverifiedNotice";

export interface NodeInspectorProps {
  node: Node;
  /** The run shown on the page. */
  run: RunView | undefined;
}

/** The selected node: its task, handoffs and attempts. An open question is shown on top. */
export function NodeInspector({ node, run }: NodeInspectorProps): ReactElement {
  const nodeRun = run?.nodes.find((candidate) => candidate.node === node.id);
  const [tab, open] = useNodeTab(nodeRun !== undefined && nodeRun.attempt > 0);
  const inbox = useOperation("inbox_list", {});
  const pendingItem = run && pendingItemForNode(run.summary.id, nodeRun, node.title, inbox.data);

  const below = run ? itemsInChildRuns(inbox.data, run.summary.id, node.id) : [];
  const children = run?.children.filter((child) => child.node === node.id) ?? [];

  if (node.kind.kind === "note") return <TaskTab node={node} nodeRun={undefined} />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Head
        node={node}
        run={run}
        nodeRun={nodeRun}
        onShowAttempts={tab === "attempts" ? undefined : () => open("attempts")}
      />
      {children.length > 0 && <ChildRuns runs={children} />}
      {run && <EditedSinceRunNotice node={node} run={run} nodeRun={nodeRun} />}
      {run && <NoOutputNotice plan={run.summary.plan} node={node} nodeRun={nodeRun} />}
      {run && (
        <UnverifiedNotice
          run={run.summary.id}
          nodeRun={nodeRun}
          onOpenEvidence={tab === "handoff" ? undefined : () => open("handoff")}
        />
      )}
      {pendingItem && <NodePendingItem key={pendingItemKey(pendingItem)} item={pendingItem} />}
      {run &&
        below.map((item) => <ChildRunRequest key={inboxItemKey(item)} item={item} run={run} />)}
      <Tabs<InspectorTab>
        label="Node"
        value={tab}
        onChange={open}
        tabs={[
          { id: "task", label: "Task", content: <TaskTab node={node} nodeRun={nodeRun} /> },
          {
            id: "handoff",
            label: "Handoff",
            content: <HandoffTab node={node} run={run} nodeRun={nodeRun} />,
          },
          {
            id: "attempts",
            label: "Attempts",
            ...(nodeRun && nodeRun.attempt > 0 && { count: nodeRun.attempt }),
            content: <AttemptsTab node={node} run={run} nodeRun={nodeRun} />,
          },
        ]}
      />
    </div>
  );
}

/** A request from a nested run, which can be answered here too. */
function ChildRunRequest({ item, run }: { item: InboxItem; run: RunView }): ReactElement {
  return (
    <NodePendingItem
      item={pendingItemFromInbox(item)}
      path={formatNodePath(item, run.summary.id)}
    />
  );
}

/** Reports whether an attempt says more about the state of the node. */
function leadsToAttempts(nodeRun: NodeRunView): boolean {
  const look = nodeStateAppearance(nodeRun);
  return nodeStateHue(look) === "failed" || look.state === "interrupted";
}

interface HeadProps extends NodeInspectorProps {
  nodeRun: NodeRunView | undefined;
  /** Undefined while they are shown. */
  onShowAttempts: (() => void) | undefined;
}

function Head({ node, run, nodeRun, onShowAttempts }: HeadProps): ReactElement {
  const titleOf = (id: string) =>
    displayTitle(run?.plan.nodes.find((other) => other.id === id)?.title ?? "another node");
  const isAsked = nodeStateAppearance(nodeRun).waitingFor === "person";
  const reason = nodeRun && !isAsked ? runReason(nodeRun, titleOf) : undefined;

  const marks = nodeRun && nodeMarkLabels(node, nodeRun).join(" · ");

  return (
    <header className="flex shrink-0 flex-col gap-1 border-b px-4 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <KindIcon kind={node.kind.kind} />
        <h2
          dir="auto"
          title={node.title}
          className="min-w-24 flex-1 basis-24 truncate font-semibold"
        >
          {displayTitle(node.title)}
        </h2>
        {nodeRun && <StateLabel {...nodeStateAppearance(nodeRun)} pill />}
      </div>
      {marks && <p className="text-12 text-faint first-letter:uppercase">{marks}</p>}
      {reason && (
        <p
          dir="auto"
          className="line-clamp-3 select-text break-words text-12 text-muted"
          title={reason}
        >
          {reason}
        </p>
      )}
      {onShowAttempts && reason && nodeRun && nodeRun.attempt > 0 && leadsToAttempts(nodeRun) && (
        <button
          type="button"
          onClick={onShowAttempts}
          className="self-start text-12 text-accent-fg hover:underline"
        >
          Show attempts and output
        </button>
      )}
    </header>
  );
}
