import type { ReactElement } from "react";
import type { Node, NodeKind } from "@/api/bindings";
import { useEditor } from "@/plan/editor";
import { FieldError } from "./FieldError";
import { nodeFieldError } from "./nodeFieldErrors";
import { ToolCallEditor } from "./ToolCallEditor";
import { useReferenceableNodes } from "./useReferenceableNodes";
import { useTaskEdit } from "./useTaskEdit";

type ToolCallKind = Extract<NodeKind, { kind: "tool_call" }>;

/** The fields of a node that calls one tool. */
export function ToolCallFields({ node, task }: { node: Node; task: ToolCallKind }): ReactElement {
  const editTask = useTaskEdit(node, task);
  const nameable = useReferenceableNodes(node);
  const problems = useEditor((editor) => editor.problems);
  return (
    <>
      <ToolCallEditor
        call={task}
        nameable={nameable}
        error={nodeFieldError(problems, node.id, "toolName")}
        onChange={editTask}
      />
      <FieldError error={nodeFieldError(problems, node.id, "toolArgs")} />
    </>
  );
}
