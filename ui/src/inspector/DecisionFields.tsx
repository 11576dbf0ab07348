import type { ReactElement } from "react";
import type { Node, NodeKind } from "@/api/bindings";
import { useEditor } from "@/blueprint/editor";
import { TextField } from "@/components/TextField";
import { AgentSelect } from "./AgentSelect";
import { FieldFault } from "./FieldFault";
import { ListEditor } from "./ListEditor";
import { faultOf } from "./nodeFaults";
import { ReferenceField } from "./ReferenceField";
import { useNameable } from "./useNameable";
import { useNodeEdit } from "./useNodeEdit";

type DecisionKind = Extract<NodeKind, { kind: "llm_decision" }>;

/** What an agent decides, and the answers that count. */
export function DecisionFields({ node, task }: { node: Node; task: DecisionKind }): ReactElement {
  const edit = useNodeEdit(node.id);
  const nameable = useNameable(node);
  const problems = useEditor((editor) => editor.problems);
  const editTask = (label: string, change: Partial<DecisionKind>, field?: string) =>
    edit(label, (now) => ({ ...now, kind: { ...task, ...change } }), field);

  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <AgentSelect
          teams
          value={task.agent}
          onChange={(agent) => editTask("Change agent", { agent })}
        />
        <TextField
          label="Model"
          value={task.model ?? ""}
          placeholder="Agent's choice"
          onChange={(model) => editTask("Change model", { model: model || null }, "model")}
        />
      </div>
      <ReferenceField
        label="Prompt"
        language="markdown"
        value={task.prompt}
        nameable={nameable}
        placeholder="What is to be decided?"
        hint="The agent also reads what the parents handed on. Type {{ to name one of their outputs."
        error={faultOf(problems, node.id, "prompt")}
        onChange={(prompt) => editTask("Edit prompt", { prompt }, "prompt")}
      />
      <div className="flex flex-col gap-1">
        <ListEditor
          label="Choices"
          noun="choice"
          placeholder="An answer that counts"
          items={task.choices}
          onChange={(choices, at) =>
            editTask("Edit choices", { choices }, `choice ${choices.length} ${at}`)
          }
        />
        <FieldFault
          error={faultOf(problems, node.id, "choices")}
          hint={
            task.choices.length === 0
              ? "Without choices any answer counts."
              : `The answer becomes an output: {{nodes.${node.slug}.outputs.decision}}`
          }
        />
      </div>
    </>
  );
}
