import type { ReactElement } from "react";
import type { Node, NodeKind } from "@/api/bindings";
import { SegmentedControl } from "@/components/SegmentedControl";
import { useEditor } from "@/plan/editor";
import { ConditionField } from "./ConditionField";
import { FieldError } from "./FieldError";
import { MixedNumberField } from "./MixedNumberField";
import { nodeFieldError } from "./nodeFieldErrors";
import { SubPlanField } from "./SubPlanField";
import { SubPlanPrompt } from "./SubPlanPrompt";
import { ToolCallEditor } from "./ToolCallEditor";
import { useReferenceableNodes } from "./useReferenceableNodes";
import { useTaskEdit } from "./useTaskEdit";

type LoopKind = Extract<NodeKind, { kind: "loop" }>;

/** The fields of a loop: its body, the iteration limit and the condition. */
export function LoopFields({ node, task }: { node: Node; task: LoopKind }): ReactElement {
  const nameable = useReferenceableNodes(node);
  const problems = useEditor((editor) => editor.problems);
  const editTask = useTaskEdit(node, task);
  const { body } = task;

  return (
    <>
      <div className="flex flex-col items-start gap-1">
        <span aria-hidden="true" className="font-medium text-12 text-muted">
          Repeats
        </span>
        <SegmentedControl
          label="Repeats"
          value={"tool" in body ? "tool" : "plan"}
          options={[
            { id: "tool", label: "A tool call" },
            { id: "plan", label: "A blueprint" },
          ]}
          onChange={(chosen) =>
            editTask("Change loop body", {
              body:
                chosen === "tool"
                  ? { tool: { toolName: "shell", toolArgs: {} } }
                  : { plan: { subPlanId: "" } },
            })
          }
        />
      </div>
      {"tool" in body ? (
        <>
          <ToolCallEditor
            call={body.tool}
            nameable={nameable}
            error={nodeFieldError(problems, node.id, "toolName")}
            onChange={(label, tool, field) => editTask(label, { body: { tool } }, field)}
          />
          <FieldError error={nodeFieldError(problems, node.id, "toolArgs")} />
        </>
      ) : (
        <>
          <SubPlanField
            node={node}
            value={body.plan.subPlanId}
            error={nodeFieldError(problems, node.id, "subPlanId")}
            onChange={(subPlanId) =>
              editTask("Change blueprint", { body: { plan: { ...body.plan, subPlanId } } })
            }
          />
          <SubPlanPrompt
            value={body.plan.prompt}
            nameable={nameable}
            onChange={(prompt) =>
              editTask("Edit prompt", { body: { plan: { ...body.plan, prompt } } }, "prompt")
            }
          />
        </>
      )}
      <MixedNumberField
        label="Max iterations"
        value={task.maxIterations}
        min={1}
        max={1_000}
        hint="If an iteration fails, the loop stops and the node fails."
        error={nodeFieldError(problems, node.id, "maxIterations")}
        onChange={(maxIterations) => editTask("Change max iterations", { maxIterations })}
      />
      <ConditionField
        label="Continue while"
        isLoop
        value={task.loopCondition ?? ""}
        nameable={nameable}
        placeholder="Until the limit is reached"
        hint="Checked after each iteration. Leave empty to run up to the limit."
        error={nodeFieldError(problems, node.id, "loopCondition")}
        onChange={(text) =>
          editTask(
            "Edit loop condition",
            { loopCondition: text.trim() === "" ? null : text },
            "loopCondition",
          )
        }
      />
    </>
  );
}
