import type { ReactElement } from "react";
import type { InboxItem, Node, NodeRunView, RunView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { askingOf, askingOfNode, askKey, itemKey } from "@/asks/ask";
import { asksBelow, pathWords } from "@/asks/below";
import { NodeAsk } from "@/asks/NodeAsk";
import { StateLabel } from "@/components/StateLabel";
import { Tabs } from "@/components/Tabs";
import { KindIcon } from "@/plan/KindIcon";
import { markWords } from "@/plan/markWords";
import { lookOf, runReason, titleWords } from "@/plan/nodeWords";
import { AttemptsTab } from "./AttemptsTab";
import { ChildRuns } from "./ChildRuns";
import { HandoffTab } from "./HandoffTab";
import { type InspectorTab, useInspectorTab } from "./inspectorTab";
import { QuietNotice } from "./QuietNotice";
import { SinceRunNotice } from "./SinceRunNotice";
import { TaskTab } from "./TaskTab";
import { UnverifiedNotice } from "./UnverifiedNotice";

export interface NodeInspectorProps {
  node: Node;
  /** The run that is looked at. */
  run: RunView | undefined;
}

/** The selected node: what it is asked, what it received and left, and its attempts. An open question stands on top. */
export function NodeInspector({ node, run }: NodeInspectorProps): ReactElement {
  const { tab, open } = useInspectorTab();
  const nodeRun = run?.nodes.find((candidate) => candidate.node === node.id);
  const inbox = useOperation("inbox_list", {});
  const asking = run && askingOfNode(run.summary.id, nodeRun, node.title, inbox.data);

  const below = run ? asksBelow(inbox.data, run.summary.id, node.id) : [];
  const children = run?.children.filter((child) => child.node === node.id) ?? [];

  if (node.kind.kind === "note") return <TaskTab node={node} nodeRun={undefined} />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Head node={node} run={run} nodeRun={nodeRun} />
      {children.length > 0 && <ChildRuns runs={children} />}
      {run && <SinceRunNotice node={node} run={run} nodeRun={nodeRun} />}
      {run && <QuietNotice plan={run.summary.plan} node={node} nodeRun={nodeRun} />}
      {run && <UnverifiedNotice run={run.summary.id} nodeRun={nodeRun} />}
      {asking && <NodeAsk key={askKey(asking)} asking={asking} />}
      {run && below.map((item) => <AskBelow key={itemKey(item)} item={item} run={run} />)}
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

/** What a node of a run below asks; answered here as well. */
function AskBelow({ item, run }: { item: InboxItem; run: RunView }): ReactElement {
  return <NodeAsk asking={askingOf(item)} path={pathWords(item, run.summary.id)} />;
}

interface HeadProps extends NodeInspectorProps {
  nodeRun: NodeRunView | undefined;
}

function Head({ node, run, nodeRun }: HeadProps): ReactElement {
  const titleOf = (id: string) =>
    titleWords(run?.plan.nodes.find((other) => other.id === id)?.title ?? "another node");
  const isAsked = lookOf(nodeRun).waitingFor === "person";
  const reason = nodeRun && !isAsked ? runReason(nodeRun, titleOf) : undefined;

  const marks = nodeRun && markWords(node, nodeRun).join(" · ");

  return (
    <header className="flex shrink-0 flex-col gap-1 border-b px-4 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <KindIcon kind={node.kind.kind} />
        <h2
          dir="auto"
          title={node.title}
          className="min-w-24 flex-1 basis-24 truncate font-semibold"
        >
          {titleWords(node.title)}
        </h2>
        {nodeRun && <StateLabel {...lookOf(nodeRun)} pill />}
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
    </header>
  );
}
