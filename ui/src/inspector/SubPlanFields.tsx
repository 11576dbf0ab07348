import type { ReactElement } from "react";
import type { Node, NodeKind } from "@/api/bindings";
import { useEditor } from "@/plan/editor";
import { nodeFieldError } from "./nodeFieldErrors";
import { SubPlanField } from "./SubPlanField";
import { SubPlanPrompt } from "./SubPlanPrompt";
import { useReferenceableNodes } from "./useReferenceableNodes";
import { useTaskEdit } from "./useTaskEdit";

type SubPlanKind = Extract<NodeKind, { kind: "sub_plan" }>;

/** The fields of a node that runs another blueprint: which one, and its prompt. */
export function SubPlanFields({ node, task }: { node: Node; task: SubPlanKind }): ReactElement {
  const nameable = useReferenceableNodes(node);
  const problems = useEditor((editor) => editor.problems);
  const editTask = useTaskEdit(node, task);
  return (
    <>
      <SubPlanField
        node={node}
        value={task.subPlanId}
        error={nodeFieldError(problems, node.id, "subPlanId")}
        onChange={(subPlanId) => editTask("Change blueprint", { subPlanId })}
      />
      <SubPlanPrompt
        value={task.prompt}
        nameable={nameable}
        onChange={(prompt) => editTask("Edit prompt", { prompt }, "prompt")}
      />
    </>
  );
}
