import type { ReactElement } from "react";
import type { Node } from "@/api/bindings";
import { Select } from "@/components/Select";
import { TimeoutField } from "@/components/TimeoutField";
import { useEditor } from "@/plan/editor";
import { changeNodes } from "@/plan/edits";
import { defaultTimeout, failureLabels } from "@/plan/policies";
import { MixedNumberField } from "./MixedNumberField";
import { sharedValue } from "./sharedValue";
import { useAttemptTimeouts } from "./useAttemptTimeouts";

/**
 * Fields that several nodes share. A change applies to all of them in one undo step. Notes are
 * ignored.
 */
export function BulkFields({ nodes }: { nodes: readonly Node[] }): ReactElement | null {
  const edit = useEditor((editor) => editor.edit);
  const runnable = nodes.filter((node) => node.kind.kind !== "note");
  const ids = runnable.map((node) => node.id);
  const change = (label: string, made: (node: Node) => Node) =>
    edit(label, (plan) => changeNodes(plan, new Set(ids), made));
  const timeouts = useAttemptTimeouts();
  const timeout = sharedValue(runnable, (node) => node.timeoutMs);

  if (runnable.length === 0) return null;
  return (
    <div key={ids.join()} className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-2">
        <TimeoutField
          label="Timeout"
          value={timeout}
          placeholder={
            timeout === undefined
              ? "Mixed"
              : (sharedValue(runnable, (node) => defaultTimeout(node, timeouts)) ?? "By kind")
          }
          onChange={(timeoutMs) => change("Change timeouts", (node) => ({ ...node, timeoutMs }))}
        />
        <MixedNumberField
          label="Retries"
          value={sharedValue(runnable, (node) => node.maxRetries)}
          min={0}
          max={100}
          onChange={(maxRetries) => change("Change retries", (node) => ({ ...node, maxRetries }))}
        />
        <MixedNumberField
          label="Priority"
          value={sharedValue(runnable, (node) => node.priority)}
          min={1}
          max={10}
          onChange={(priority) => change("Change priorities", (node) => ({ ...node, priority }))}
        />
      </div>
      <Select
        label="After the last failure"
        value={sharedValue(runnable, plainFailure)}
        placeholder="Mixed"
        options={(["abort", "skip"] as const).map((id) => ({ id, label: failureLabels[id] }))}
        onChange={(onFailure) => change("Change failure rules", (node) => ({ ...node, onFailure }))}
      />
    </div>
  );
}

/** Returns the failure rule, or undefined for a jump to another node, which nodes can't share. */
function plainFailure({ onFailure }: Node): "abort" | "skip" | undefined {
  return typeof onFailure === "object" ? undefined : onFailure;
}
