import type { ReactElement } from "react";
import type { Node, OnFailure } from "@/api/bindings";
import { useEditor } from "@/blueprint/editor";
import { Select } from "@/components/Select";
import { NumberField } from "./NumberField";
import { faultOf } from "./nodeFaults";
import { TimeoutField } from "./TimeoutField";
import { useNodeEdit } from "./useNodeEdit";

export const failureLabels: Record<OnFailure, string> = {
  abort: "End the run",
  skip: "Go on without it",
};

const failureHints: Record<OnFailure, string> = {
  abort: "Nothing new starts, what runs may finish, and the run fails.",
  skip: "The node counts as skipped; nodes that depend on it start without its handoff.",
};

/** How long an attempt may take, how many there are, and what comes after the last. */
export function FailureFields({ node }: { node: Node }): ReactElement {
  const edit = useNodeEdit(node.id);
  const problems = useEditor((editor) => editor.problems);
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <TimeoutField
          label="Timeout"
          value={node.timeoutMs}
          placeholder={defaultTimeout(node)}
          onChange={(timeoutMs) => edit("Change timeout", (now) => ({ ...now, timeoutMs }))}
        />
        <NumberField
          label="Retries"
          value={node.maxRetries}
          least={0}
          most={100}
          onChange={(maxRetries) => edit("Change retries", (now) => ({ ...now, maxRetries }))}
          error={faultOf(problems, node.id, "maxRetries")}
        />
      </div>
      <Select
        label="After the last failure"
        value={node.onFailure}
        options={(Object.keys(failureLabels) as OnFailure[]).map((id) => ({
          id,
          label: failureLabels[id],
        }))}
        hint={failureHints[node.onFailure]}
        onChange={(onFailure) => edit("Change failure rule", (now) => ({ ...now, onFailure }))}
      />
    </>
  );
}

/** The limit of an attempt that names none (product E6). */
export function defaultTimeout(node: Node): string {
  return node.kind.kind === "agent" ? "30 min" : "60 s";
}
