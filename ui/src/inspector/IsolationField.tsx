import type { ReactElement } from "react";
import type { Isolation, Node } from "@/api/bindings";
import { Select } from "@/components/Select";
import { useEditor } from "@/plan/editor";
import { useNodeEdit } from "./useNodeEdit";

const labels: Record<Isolation, string> = {
  shared: "The blueprint's directory",
  worktree: "Separate worktree",
};

/** Kinds that run no program on the files, or whose nested blueprint has its own setting. */
const withoutFiles = ["user_input", "condition", "note", "sub_plan"];

/** Whether the node works in the blueprint's directory or in its own worktree. */
export function IsolationField({ node }: { node: Node }): ReactElement | null {
  const edit = useNodeEdit(node.id);
  const inPlan = useEditor((editor) => editor.plan.settings.isolation);
  if (withoutFiles.includes(node.kind.kind)) return null;
  return (
    <Select<Isolation | "plan">
      label="Works in"
      value={node.isolation ?? "plan"}
      options={[
        { id: "plan", label: "Blueprint default", note: labels[inPlan].toLowerCase() },
        { id: "shared", label: labels.shared },
        { id: "worktree", label: labels.worktree },
      ]}
      hint={
        (node.isolation ?? inPlan) === "worktree"
          ? "Starts with the merged work of its parents. Its own changes stay in the worktree."
          : undefined
      }
      onChange={(chosen) =>
        edit("Change isolation", (now) => ({
          ...now,
          isolation: chosen === "plan" ? null : chosen,
        }))
      }
    />
  );
}
