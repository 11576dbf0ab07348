import { ArrowDown, ArrowUp, ChevronRight, Plus, X } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { Node, NodeKind, ToolCall } from "@/api/bindings";
import { Button } from "@/components/Button";
import { classes } from "@/components/classes";
import { IconButton } from "@/components/IconButton";
import { Switch } from "@/components/Switch";
import { useEditor } from "@/plan/editor";
import { toolCallText } from "@/plan/kindSummary";
import { FieldError } from "./FieldError";
import { MixedNumberField } from "./MixedNumberField";
import { nodeFieldError } from "./nodeFieldErrors";
import { ToolCallEditor } from "./ToolCallEditor";
import { useReferenceableNodes } from "./useReferenceableNodes";
import { useTaskEdit } from "./useTaskEdit";

type ParallelKind = Extract<NodeKind, { kind: "parallel" }>;

/** Several parallel tool calls, one expanded at a time. */
export function ParallelFields({ node, task }: { node: Node; task: ParallelKind }): ReactElement {
  const nameable = useReferenceableNodes(node);
  const problems = useEditor((editor) => editor.problems);
  const [open, setOpen] = useState<number | undefined>(task.steps.length === 1 ? 0 : undefined);
  const { steps } = task;
  const editTask = useTaskEdit(node, task);

  function add() {
    editTask("Add call", { steps: [...steps, { toolName: "shell", toolArgs: {} }] });
    setOpen(steps.length);
  }
  function remove(at: number) {
    editTask("Remove call", { steps: steps.toSpliced(at, 1) });
    setOpen(undefined);
  }
  function move(at: number, to: number) {
    const call = steps[at];
    if (!call || to < 0 || to >= steps.length) return;
    editTask("Move call", { steps: steps.toSpliced(at, 1).toSpliced(to, 0, call) });
    if (open === at) setOpen(to);
  }

  return (
    <>
      <div className="flex flex-col gap-1">
        <span className="font-medium text-12 text-muted">Calls</span>
        {steps.length > 0 && (
          <ol aria-label="Calls" className="flex flex-col divide-y rounded-control border">
            {steps.map((call, at) => (
              // Calls have no identity other than their position.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <li key={at} className="min-w-0">
                <CallHead
                  call={call}
                  at={at}
                  last={at === steps.length - 1}
                  open={open === at}
                  onToggle={() => setOpen(open === at ? undefined : at)}
                  onMove={(to) => move(at, to)}
                  onRemove={() => remove(at)}
                />
                {open === at && (
                  <div className="flex flex-col gap-3 border-t bg-raised/50 px-2.5 py-2.5">
                    <ToolCallEditor
                      call={call}
                      nameable={nameable}
                      error={call.toolName.trim() === "" ? "Choose a tool." : undefined}
                      onChange={(label, changed, field) =>
                        editTask(
                          label,
                          { steps: steps.with(at, changed) },
                          field && `call ${at} ${field}`,
                        )
                      }
                    />
                  </div>
                )}
              </li>
            ))}
          </ol>
        )}
        <FieldError error={nodeFieldError(problems, node.id, "steps")} />
        <Button size="small" className="self-start" onClick={add}>
          <Plus />
          Add call
        </Button>
      </div>
      <MixedNumberField
        label="Max parallel calls"
        value={task.maxConcurrent}
        min={1}
        max={1_000}
        hint="How many calls can run at the same time."
        error={nodeFieldError(problems, node.id, "maxConcurrent")}
        onChange={(maxConcurrent) => editTask("Change max parallel calls", { maxConcurrent })}
      />
      <Switch
        label="Let all finish"
        hint="When off, the first failure stops the other calls. The node fails either way."
        checked={task.waitAll}
        onChange={(waitAll) => editTask("Change handling of failed calls", { waitAll })}
      />
    </>
  );
}

interface CallHeadProps {
  call: ToolCall;
  at: number;
  last: boolean;
  open: boolean;
  onToggle: () => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function CallHead(props: CallHeadProps): ReactElement {
  const { call, at, last, open, onToggle, onMove, onRemove } = props;
  return (
    <div className="flex items-center gap-0.5 py-0.5 pr-0.5">
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        title={toolCallText(call)}
        className="flex h-6 min-w-0 flex-1 items-center gap-1.5 rounded-small px-1.5 text-left hover:bg-hover"
      >
        <ChevronRight
          aria-hidden="true"
          className={classes("size-3.5 shrink-0 text-faint", open && "rotate-90")}
        />
        <span className="text-12 text-faint tabular-nums">{at + 1}</span>
        <span className="truncate font-mono text-12">{toolCallText(call)}</span>
      </button>
      <IconButton
        size="small"
        label={`Move call ${at + 1} up`}
        icon={<ArrowUp />}
        disabled={at === 0}
        onClick={() => onMove(at - 1)}
      />
      <IconButton
        size="small"
        label={`Move call ${at + 1} down`}
        icon={<ArrowDown />}
        disabled={last}
        onClick={() => onMove(at + 1)}
      />
      <IconButton size="small" label={`Remove call ${at + 1}`} icon={<X />} onClick={onRemove} />
    </div>
  );
}
