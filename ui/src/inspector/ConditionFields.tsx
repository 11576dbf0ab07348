import type { ReactElement } from "react";
import type { Node, NodeKind } from "@/api/bindings";
import { useEditor } from "@/plan/editor";
import { ConditionField } from "./ConditionField";
import { nodeFieldError } from "./nodeFieldErrors";
import { TargetField } from "./TargetField";
import { useReferenceableNodes } from "./useReferenceableNodes";
import { useTaskEdit } from "./useTaskEdit";

type ConditionKind = Extract<NodeKind, { kind: "condition" }>;

/** What a fork looks at, and where its two branches lead. */
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
        hint="Such as result:tests, or nodes.count.outputs.n > 3. Words: and, or, not, in."
        error={nodeFieldError(problems, node.id, "condition")}
        onChange={(condition) => editTask("Edit condition", { condition }, "condition")}
      />
      <TargetField
        node={node}
        way="true"
        label="If true, go to"
        nowhere="Nothing more"
        act="Change true branch"
        error={nodeFieldError(problems, node.id, "trueStep")}
      />
      <TargetField
        node={node}
        way="false"
        label="If false, go to"
        nowhere="Nothing more"
        act="Change false branch"
        hint="Nodes of the branch that is not taken are skipped, with what only they lead to."
        error={nodeFieldError(problems, node.id, "falseStep")}
      />
    </>
  );
}
