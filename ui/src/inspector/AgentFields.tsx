import type { ReactElement } from "react";
import type { Node, NodeKind } from "@/api/bindings";
import { TextArea } from "@/components/TextArea";
import { useEditor } from "@/plan/editor";
import { AgentAndModel } from "./AgentAndModel";
import { CriteriaEditor } from "./CriteriaEditor";
import { FieldError } from "./FieldError";
import { nodeFieldError } from "./nodeFieldErrors";
import { ReferenceField } from "./ReferenceField";
import { ToolScopeFields } from "./ToolScopeFields";
import { useNodeEdit } from "./useNodeEdit";
import { useReferenceableNodes } from "./useReferenceableNodes";
import { useTaskEdit } from "./useTaskEdit";

type AgentKind = Extract<NodeKind, { kind: "agent" }>;

/** The fields of an agent node: agent, prompt, acceptance criteria, instructions and tools. */
export function AgentFields({ node, task }: { node: Node; task: AgentKind }): ReactElement {
  const edit = useNodeEdit(node.id);
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
        placeholder={
          node.description ? "If empty, the description is the prompt" : "What should the agent do?"
        }
        hint="Markdown. Type {{ to insert an output of an earlier node."
        onChange={(prompt) => editTask("Edit prompt", { prompt }, "prompt")}
      />
      <AgentAndModel task={task} onChange={editTask} />
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
      <FieldError error={nodeFieldError(problems, node.id, "acceptanceCriteria")} />
      <TextArea
        label="Instructions"
        dir="auto"
        value={node.instructions}
        placeholder="How to do it"
        onChange={(instructions) =>
          edit("Edit instructions", (now) => ({ ...now, instructions }), "instructions")
        }
      />
      <ToolScopeFields
        tools={node.toolsRequired}
        mode={task.toolScope}
        agent={task.agent}
        onTools={(toolsRequired) => edit("Change tools", (now) => ({ ...now, toolsRequired }))}
        onMode={(toolScope) => editTask("Change handling of tools outside the list", { toolScope })}
      />
    </>
  );
}
