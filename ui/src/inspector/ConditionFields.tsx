import type { ReactElement } from "react";
import type { Node, NodeKind } from "@/api/bindings";
import { useEditor } from "@/plan/editor";
import { ConditionField } from "./ConditionField";
import { nodeFieldError } from "./nodeFieldErrors";
import { TargetField } from "./TargetField";
import { useReferenceableNodes } from "./useReferenceableNodes";
import { useTaskEdit } from "./useTaskEdit";

type ConditionKind = Extract<NodeKind, { kind: "condition" }>;

/** The condition of a node, and the targets of its two branches. */
export function ConditionFields({ node, task }: { node: Node; task: ConditionKind }): ReactElement {
  const editTask = useTaskEdit(node, task);
  const nameable = useReferenceableNodes(node);
  const problems = useEditor((editor) => editor.problems);

  return (
    <>
      <ConditionField
        label="Condition"
        value={task.condition}
        nameable={nameable}
        hint="For example, result:tests or nodes.count.outputs.n > 3. Operators: and, or, not, in."
        error={nodeFieldError(problems, node.id, "condition")}
        onChange={(condition) => editTask("Edit condition", { condition }, "condition")}
      />
      <TargetField
        node={node}
        way="true"
        label="If true, go to"
        nowhere="No node"
        act="Change true branch"
        error={nodeFieldError(problems, node.id, "trueStep")}
      />
      <TargetField
        node={node}
        way="false"
        label="If false, go to"
        nowhere="No node"
        act="Change false branch"
        hint="The branch that isn't taken is skipped, including nodes that depend only on it."
        error={nodeFieldError(problems, node.id, "falseStep")}
      />
    </>
  );
}
