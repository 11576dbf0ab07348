import type { ReactElement } from "react";
import type { Node, NodeKind } from "@/api/bindings";
import { TextArea } from "@/components/TextArea";
import { TextField } from "@/components/TextField";
import { AgentSelect } from "./AgentSelect";
import { CriteriaEditor } from "./CriteriaEditor";
import { ReferenceField } from "./ReferenceField";
import { ToolScopeFields } from "./ToolScopeFields";
import { useNameable } from "./useNameable";
import { useNodeEdit } from "./useNodeEdit";

type AgentKind = Extract<NodeKind, { kind: "agent" }>;

/** What an agent is asked to do, by whom, and what must be true afterwards. */
export function AgentFields({ node, task }: { node: Node; task: AgentKind }): ReactElement {
  const edit = useNodeEdit(node.id);
  const nameable = useNameable(node);
  const editTask = (label: string, change: Partial<AgentKind>, field?: string) =>
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
        placeholder={
          node.description ? "The description is the prompt" : "What shall the agent do?"
        }
        hint="Markdown. Type {{ to name an output of an earlier node."
        onChange={(prompt) => editTask("Edit prompt", { prompt }, "prompt")}
      />
      <CriteriaEditor
        criteria={node.acceptanceCriteria}
        onChange={(acceptanceCriteria, at) =>
          edit(
            "Edit acceptance criteria",
            (now) => ({ ...now, acceptanceCriteria }),
            `criterion ${acceptanceCriteria.length} ${at}`,
          )
        }
      />
      <TextArea
        label="Instructions"
        dir="auto"
        value={node.instructions}
        placeholder="How to go about it"
        onChange={(instructions) =>
          edit("Edit instructions", (now) => ({ ...now, instructions }), "instructions")
        }
      />
      <ToolScopeFields
        tools={node.toolsRequired}
        mode={task.toolScope}
        agent={task.agent}
        onTools={(toolsRequired) => edit("Change tools", (now) => ({ ...now, toolsRequired }))}
        onMode={(toolScope) => editTask("Change how tools are held back", { toolScope })}
      />
    </>
  );
}
