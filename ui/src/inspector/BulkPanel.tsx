import type { ReactElement } from "react";
import type { Node, OnFailure } from "@/api/bindings";
import { useEditor } from "@/blueprint/editor";
import { countWords, removeNodes } from "@/blueprint/edits";
import { Button } from "@/components/Button";
import { Select } from "@/components/Select";
import { changeNodes, shared } from "./bulk";
import { defaultTimeout, failureLabels } from "./FailureFields";
import { NumberField } from "./NumberField";
import { TimeoutField } from "./TimeoutField";

/** What several selected nodes have in common; a change is made to all of them in one step of undo. */
export function BulkPanel({ nodes }: { nodes: readonly Node[] }): ReactElement {
  const edit = useEditor((editor) => editor.edit);
  const ids = new Set(nodes.map((node) => node.id));
  const runnable = nodes.filter((node) => node.kind.kind !== "note");
  const change = (label: string, made: (node: Node) => Node) =>
    edit(label, (plan) =>
      changeNodes(
        plan,
        runnable.map((node) => node.id),
        made,
      ),
    );
  const timeout = shared(runnable, (node) => node.timeoutMs);

  return (
    <div className="flex flex-col gap-3 p-3">
      <h2 className="font-semibold">{countWords(nodes.length, "node")} selected</h2>
      {runnable.length > 0 && (
        <>
          <div className="grid grid-cols-2 gap-2">
            <TimeoutField
              label="Timeout"
              value={timeout}
              placeholder={
                timeout === undefined ? "Mixed" : (shared(runnable, defaultTimeout) ?? "By kind")
              }
              onChange={(timeoutMs) =>
                change("Change timeouts", (node) => ({ ...node, timeoutMs }))
              }
            />
            <NumberField
              label="Retries"
              value={shared(runnable, (node) => node.maxRetries)}
              least={0}
              most={100}
              onChange={(maxRetries) =>
                change("Change retries", (node) => ({ ...node, maxRetries }))
              }
            />
            <NumberField
              label="Priority"
              value={shared(runnable, (node) => node.priority)}
              least={1}
              most={10}
              onChange={(priority) =>
                change("Change priorities", (node) => ({ ...node, priority }))
              }
            />
          </div>
          <Select
            label="After the last failure"
            value={shared(runnable, (node) => node.onFailure)}
            placeholder="Mixed"
            options={(Object.keys(failureLabels) as OnFailure[]).map((id) => ({
              id,
              label: failureLabels[id],
            }))}
            onChange={(onFailure) =>
              change("Change failure rules", (node) => ({ ...node, onFailure }))
            }
          />
        </>
      )}
      <Button
        onClick={() =>
          edit(`Delete ${countWords(nodes.length, "node")}`, (plan) => removeNodes(plan, ids))
        }
      >
        Delete {countWords(nodes.length, "node")}
      </Button>
    </div>
  );
}
