import type { ReactElement } from "react";
import type { Node, NodeKind } from "@/api/bindings";
import { useEditor } from "@/plan/editor";
import { AgentAndModel } from "./AgentAndModel";
import { FieldError } from "./FieldError";
import { ListEditor } from "./ListEditor";
import { nodeFieldError } from "./nodeFieldErrors";
import { ReferenceField } from "./ReferenceField";
import { useReferenceableNodes } from "./useReferenceableNodes";
import { useTaskEdit } from "./useTaskEdit";

type DecisionKind = Extract<NodeKind, { kind: "llm_decision" }>;

/** The fields of a decision node: agent, prompt and choices. */
export function DecisionFields({ node, task }: { node: Node; task: DecisionKind }): ReactElement {
  const nameable = useReferenceableNodes(node);
  const problems = useEditor((editor) => editor.problems);
  const editTask = useTaskEdit(node, task);

  return (
    <>
      <ReferenceField
        label="Prompt"
        language="markdown"
        value={task.prompt}
        nameable={nameable}
        placeholder="What should be decided?"
        hint="The agent also receives the handoffs of the parents. Type {{ to insert one of their outputs."
        error={nodeFieldError(problems, node.id, "prompt")}
        onChange={(prompt) => editTask("Edit prompt", { prompt }, "prompt")}
      />
      <AgentAndModel task={task} onChange={editTask} />
      <div className="flex flex-col gap-1">
        <ListEditor
          label="Choices"
          noun="choice"
          placeholder="A valid answer"
          items={task.choices}
          onChange={(choices, at) =>
            editTask("Edit choices", { choices }, `choice ${choices.length} ${at}`)
          }
        />
        <FieldError
          error={nodeFieldError(problems, node.id, "choices")}
          hint={
            task.choices.length === 0
              ? "Add the answers to choose from."
              : `The answer becomes an output: {{nodes.${node.slug}.outputs.decision}}`
          }
        />
      </div>
    </>
  );
}
