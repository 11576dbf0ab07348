import { type ReactElement, useState } from "react";
import type { Node } from "@/api/bindings";
import { useEditor } from "@/blueprint/editor";
import { lookOf, stateReason, titleWords } from "@/blueprint/nodeWords";
import { StateLabel } from "@/components/StateLabel";
import { Tabs } from "@/components/Tabs";
import { KindIcon } from "@/graph/KindIcon";
import { NodeQuestion } from "@/timeline/NodeQuestion";
import { openQuestion } from "@/timeline/openQuestion";
import { AttemptsTab } from "./AttemptsTab";
import { BulkPanel } from "./BulkPanel";
import { HandoffTab } from "./HandoffTab";
import { TaskTab } from "./TaskTab";

type TabName = "task" | "handoff" | "attempts";

/** The selected nodes at the right of the blueprint: one with its tabs, several with what they share, none as nothing. */
export function NodeInspector(): ReactElement | null {
  const nodes = useEditor((editor) => editor.plan.nodes);
  const selection = useEditor((editor) => editor.selection);
  const [tab, setTab] = useState<TabName>("task");
  const selected = nodes.filter((node) => selection.has(node.id));
  const [first, second] = selected;

  if (!first) return null;
  return (
    <aside aria-label="Inspector" className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      {second ? (
        <BulkPanel key={selected.map((node) => node.id).join()} nodes={selected} />
      ) : (
        <OneNode node={first} tab={tab} onTab={setTab} />
      )}
    </aside>
  );
}

interface OneNodeProps {
  node: Node;
  tab: TabName;
  onTab: (tab: TabName) => void;
}

function OneNode({ node, tab, onTab }: OneNodeProps): ReactElement {
  const run = useEditor((editor) => editor.run);
  const nodeRun = run?.nodes.find((candidate) => candidate.node === node.id);
  const question = openQuestion(run?.summary.id, nodeRun);
  const task = { id: "task", label: "Task", content: <TaskTab node={node} nodeRun={nodeRun} /> };
  if (node.kind.kind === "note") return <div className="overflow-auto">{task.content}</div>;

  return (
    <>
      <Head node={node} />
      {question && <NodeQuestion question={question} session={nodeRun?.session ?? null} />}
      <Tabs<TabName>
        label="Node"
        value={tab}
        onChange={onTab}
        tabs={[
          { ...task, id: "task" },
          {
            id: "handoff",
            label: "Handoff",
            content: <HandoffTab node={node} run={run?.summary.id} nodeRun={nodeRun} />,
          },
          {
            id: "attempts",
            label: "Attempts",
            ...(nodeRun && nodeRun.attempt > 0 && { count: nodeRun.attempt }),
            content: <AttemptsTab node={node} run={run} nodeRun={nodeRun} />,
          },
        ]}
      />
    </>
  );
}

function Head({ node }: { node: Node }): ReactElement {
  const run = useEditor((editor) => editor.run);
  const nodeRun = run?.nodes.find((candidate) => candidate.node === node.id);
  const titleOf = (id: string) =>
    titleWords(run?.plan.nodes.find((other) => other.id === id)?.title ?? "another node");
  const isAsked = nodeRun?.state.state === "waiting" && nodeRun.state.for.kind === "person";
  const reason = nodeRun && !isAsked ? stateReason(nodeRun.state, titleOf) : undefined;

  return (
    <header className="flex shrink-0 flex-col gap-1 border-b px-3 py-2">
      <div className="flex items-center gap-2">
        <KindIcon kind={node.kind.kind} />
        <h2 dir="auto" title={node.title} className="min-w-0 flex-1 truncate font-semibold">
          {titleWords(node.title)}
        </h2>
        {nodeRun && <StateLabel {...lookOf(nodeRun)} pill />}
      </div>
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
