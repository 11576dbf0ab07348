import type { ReactElement } from "react";
import type { Node, NodeRunView } from "@/api/bindings";
import { useEditor } from "@/blueprint/editor";
import type { KindName } from "@/blueprint/edits";
import { CodeField } from "@/components/CodeField";
import { SegmentedControl } from "@/components/SegmentedControl";
import { TextArea } from "@/components/TextArea";
import { TextField } from "@/components/TextField";
import { kindOffers } from "@/graph/nodeKinds";
import { AgentFields } from "./AgentFields";
import { CommandFields } from "./CommandFields";
import { FailureFields } from "./FailureFields";
import { switchKindIn } from "./kindSwitch";
import { faultOf } from "./nodeFaults";
import { OrderFields } from "./OrderFields";
import { Section } from "./Section";
import { SlugField } from "./SlugField";
import { useNodeEdit } from "./useNodeEdit";

/** What a node is asked to do, and under which rules. Every change is saved by itself and can be undone. */
export function TaskTab({
  node,
  nodeRun,
}: {
  node: Node;
  nodeRun: NodeRunView | undefined;
}): ReactElement {
  return (
    <div className="flex flex-col">
      {nodeRun && nodeRun.attempt > 0 && (
        <p className="border-b bg-raised px-3 py-1.5 text-12 text-muted">
          This node has run already. A change here takes effect in the next run, not in this one.
        </p>
      )}
      <div className="flex flex-col gap-3 px-3 py-3">
        <Identity node={node} />
        <KindFields node={node} />
      </div>
      {node.kind.kind !== "note" && (
        <>
          <Section title="Order">
            <OrderFields node={node} />
          </Section>
          <Section title="Limits and failure">
            <FailureFields node={node} />
          </Section>
        </>
      )}
    </div>
  );
}

function Identity({ node }: { node: Node }): ReactElement {
  const edit = useNodeEdit(node.id);
  const editPlan = useEditor((editor) => editor.edit);
  const problems = useEditor((editor) => editor.problems);
  const { kind } = node.kind;

  return (
    <>
      <div className="flex">
        <SegmentedControl<KindName>
          label="Kind"
          value={kind}
          options={kindOffers.map((offer) => ({ id: offer.kind, label: offer.title }))}
          onChange={(to) => editPlan("Change kind", (plan) => switchKindIn(plan, node.id, to))}
        />
      </div>
      <TextField
        label="Title"
        dir="auto"
        value={node.title}
        onChange={(title) => edit("Rename node", (now) => ({ ...now, title }), "title")}
        error={
          node.title.trim() === ""
            ? "Give the node a title. It names the node everywhere."
            : faultOf(problems, node.id, "title")
        }
      />
      <SlugField key={node.id} node={node} />
      {kind !== "note" && (
        <TextArea
          label="Description"
          dir="auto"
          rows={2}
          className="min-h-12"
          value={node.description}
          placeholder="What the node is for"
          onChange={(description) =>
            edit("Edit description", (now) => ({ ...now, description }), "description")
          }
        />
      )}
    </>
  );
}

function KindFields({ node }: { node: Node }): ReactElement {
  const edit = useNodeEdit(node.id);
  const { kind } = node;
  switch (kind.kind) {
    case "agent":
      return <AgentFields key={node.id} node={node} task={kind} />;
    case "command":
      return <CommandFields key={node.id} node={node} task={kind} />;
    case "note":
      return (
        <CodeField
          key={node.id}
          label="Text"
          language="markdown"
          value={kind.text}
          placeholder="Markdown"
          onChange={(text) =>
            edit("Edit note", (now) => ({ ...now, kind: { ...kind, text } }), "note")
          }
        />
      );
  }
}
