import type { ReactElement } from "react";
import type { Node, SandboxMode } from "@/api/bindings";
import { Select } from "@/components/Select";
import { useEditor } from "@/plan/editor";
import { useNodeEdit } from "./useNodeEdit";

const labels: Record<SandboxMode, string> = {
  on: "On",
  off: "Off",
};

/** Kinds that run no external program, or whose nested blueprint has its own setting. */
const withoutPrograms = ["user_input", "condition", "note", "sub_plan"];

/**
 * Whether the node's sessions run in a sandbox, without access to Baton's data and other sessions.
 */
export function SandboxField({ node }: { node: Node }): ReactElement | null {
  const edit = useNodeEdit(node.id);
  const inPlan = useEditor((editor) => editor.plan.settings.sandbox ?? "on");
  if (withoutPrograms.includes(node.kind.kind)) return null;
  return (
    <Select<SandboxMode | "plan">
      label="Sandbox"
      value={node.sandbox ?? "plan"}
      options={[
        { id: "plan", label: "Blueprint default", note: labels[inPlan].toLowerCase() },
        { id: "on", label: labels.on },
        { id: "off", label: labels.off },
      ]}
      hint={
        (node.sandbox ?? inPlan) === "off"
          ? "It can reach Baton's data, other sessions and git hooks. Needed for sudo and containers."
          : undefined
      }
      onChange={(chosen) =>
        edit("Change sandbox", (now) => ({
          ...now,
          sandbox: chosen === "plan" ? null : chosen,
        }))
      }
    />
  );
}
