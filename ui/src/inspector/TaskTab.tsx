import type { ReactElement } from "react";
import type { Node, NodeRunView } from "@/api/bindings";
import { CodeField } from "@/components/CodeField";
import { Section } from "@/components/Section";
import { Select } from "@/components/Select";
import { TextArea } from "@/components/TextArea";
import { TextField } from "@/components/TextField";
import { useEditor } from "@/plan/editor";
import { oneLine } from "@/plan/firstCommand";
import type { KindName } from "@/plan/kinds";
import { kindOffers } from "@/plan/nodeKinds";
import { displayTitle } from "@/plan/nodeText";
import { policyLabels } from "@/plan/policies";
import { AgentFields } from "./AgentFields";
import { CollapsibleSection } from "./CollapsibleSection";
import { CommandFields } from "./CommandFields";
import { ConditionFields } from "./ConditionFields";
import { DecisionFields } from "./DecisionFields";
import { DependencyEditor } from "./DependencyEditor";
import { LoopFields } from "./LoopFields";
import { nodeFieldError } from "./nodeFieldErrors";
import { ParallelFields } from "./ParallelFields";
import { PolicyFields } from "./PolicyFields";
import { QuestionFields } from "./QuestionFields";
import { SlugField } from "./SlugField";
import { SubPlanFields } from "./SubPlanFields";
import { switchNodeKind } from "./switchNodeKind";
import { ToolCallFields } from "./ToolCallFields";
import { useNodeEdit } from "./useNodeEdit";

/** The task of a node and its policies. Every change is saved automatically and can be undone. */
export function TaskTab({
  node,
  nodeRun,
}: {
  node: Node;
  nodeRun: NodeRunView | undefined;
}): ReactElement {
  const hasRun = nodeRun !== undefined && nodeRun.attempt > 0;
  return (
    <div className="flex flex-col">
      {hasRun && (
        <p className="border-b bg-raised px-4 py-1.5 text-12 text-muted">
          This node {isActive(nodeRun) ? "is running" : "has already run"}. A change here takes
          effect in the next run, not in this one.
        </p>
      )}
      <div className="flex flex-col gap-3 px-4 py-3">
        <KindAndTitle node={node} />
        {/* Until the node has run, opening the inspector by key leads here. */}
        <div className="contents" {...(!hasRun && { "data-work": "" })}>
          <KindFields node={node} />
        </div>
      </div>
      <Identity node={node} />
      {node.kind.kind !== "note" && (
        <>
          <Section title="Order">
            <DependencyEditor key={node.id} node={node} />
          </Section>
          <Policies node={node} />
        </>
      )}
    </div>
  );
}

function KindAndTitle({ node }: { node: Node }): ReactElement {
  const edit = useNodeEdit(node.id);
  const editPlan = useEditor((editor) => editor.edit);
  const problems = useEditor((editor) => editor.problems);
  const { kind } = node.kind;

  return (
    <>
      <Select<KindName>
        label="Kind"
        value={kind}
        options={kindOffers.map((offer) => ({
          id: offer.kind,
          label: offer.title,
          note: offer.note,
        }))}
        onChange={(to) => editPlan("Change kind", (plan) => switchNodeKind(plan, node.id, to))}
      />
      <TextField
        label="Title"
        dir="auto"
        value={node.title}
        onChange={(title) => edit("Rename node", (now) => ({ ...now, title }), "title")}
        error={
          node.title.trim() === "" ? "Enter a title." : nodeFieldError(problems, node.id, "title")
        }
      />
    </>
  );
}

/** The id and the description, which are needed less often than the task itself. */
function Identity({ node }: { node: Node }): ReactElement {
  const edit = useNodeEdit(node.id);
  const problems = useEditor((editor) => editor.problems);
  const isWrong = nodeFieldError(problems, node.id, "slug") !== undefined;
  const summary = [node.slug, oneLine(node.description)].filter(Boolean).join(" · ");
  return (
    <CollapsibleSection
      key={node.id}
      title="More"
      summary={summary}
      open={isWrong}
      remember="node.more"
    >
      <SlugField key={node.id} node={node} />
      {node.kind.kind !== "note" && (
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
    </CollapsibleSection>
  );
}

/** The policies of the node, collapsed while all have their defaults. */
function Policies({ node }: { node: Node }): ReactElement {
  const plan = useEditor((editor) => editor.plan);
  const titleOf = (id: string) =>
    displayTitle(plan.nodes.find((other) => other.id === id)?.title ?? "a deleted node");
  const words = policyLabels(node, titleOf).join(", ");
  return (
    <CollapsibleSection key={node.id} title="Policies" summary={words}>
      <PolicyFields node={node} />
    </CollapsibleSection>
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
    case "tool_call":
      return <ToolCallFields key={node.id} node={node} task={kind} />;
    case "llm_decision":
      return <DecisionFields key={node.id} node={node} task={kind} />;
    case "user_input":
      return <QuestionFields key={node.id} node={node} task={kind} />;
    case "condition":
      return <ConditionFields key={node.id} node={node} task={kind} />;
    case "parallel":
      return <ParallelFields key={node.id} node={node} task={kind} />;
    case "loop":
      return <LoopFields key={node.id} node={node} task={kind} />;
    case "sub_plan":
      return <SubPlanFields key={node.id} node={node} task={kind} />;
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

function isActive({ state: { state } }: NodeRunView): boolean {
  return state === "running" || state === "waiting";
}
