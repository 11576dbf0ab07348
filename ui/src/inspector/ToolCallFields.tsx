import type { ReactElement } from "react";
import type { Node, NodeKind } from "@/api/bindings";
import { useEditor } from "@/plan/editor";
import { FieldFault } from "./FieldFault";
import { faultOf } from "./nodeFaults";
import { ToolCallEditor } from "./ToolCallEditor";
import { useNameable } from "./useNameable";
import { useTaskEdit } from "./useTaskEdit";

type ToolCallKind = Extract<NodeKind, { kind: "tool_call" }>;

/** A call of one tool. */
export function ToolCallFields({ node, task }: { node: Node; task: ToolCallKind }): ReactElement {
  const editTask = useTaskEdit(node, task);
  const nameable = useNameable(node);
  const problems = useEditor((editor) => editor.problems);
  return (
    <>
      <ToolCallEditor
        call={task}
        nameable={nameable}
        error={faultOf(problems, node.id, "toolName")}
        onChange={editTask}
      />
      <FieldFault error={faultOf(problems, node.id, "toolArgs")} />
    </>
  );
}
