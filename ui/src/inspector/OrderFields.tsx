import type { ReactElement } from "react";
import type { Node, TriggerRule } from "@/api/bindings";
import { useEditor } from "@/blueprint/editor";
import { Select } from "@/components/Select";
import { DependencyEditor } from "./DependencyEditor";
import { NumberField } from "./NumberField";
import { faultOf } from "./nodeFaults";
import { useNodeEdit } from "./useNodeEdit";

const rules: Record<TriggerRule, string> = {
  all_success: "All are done",
  all_done: "All have ended, however",
  one_success: "One is done",
  one_failed: "One has failed",
  none_failed: "All have ended, none failed",
  none_failed_min_one_success: "None failed, one is done",
};

const ruleOptions = (Object.keys(rules) as TriggerRule[]).map((id) => ({ id, label: rules[id] }));

/** What a node waits for, and who goes first. */
export function OrderFields({ node }: { node: Node }): ReactElement {
  const edit = useNodeEdit(node.id);
  const problems = useEditor((editor) => editor.problems);
  return (
    <>
      <DependencyEditor node={node} />
      <div className="grid grid-cols-[minmax(0,1fr)_88px] gap-2">
        <Select
          label="Starts when"
          value={node.triggerRule}
          options={ruleOptions}
          onChange={(triggerRule) => edit("Change start rule", (now) => ({ ...now, triggerRule }))}
        />
        <NumberField
          label="Priority"
          value={node.priority}
          least={1}
          most={10}
          onChange={(priority) => edit("Change priority", (now) => ({ ...now, priority }))}
          error={faultOf(problems, node.id, "priority")}
        />
      </div>
    </>
  );
}
