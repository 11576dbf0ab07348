import type { Node, NodeKind } from "@/api/bindings";
import { useNodeEdit } from "./useNodeEdit";

/** Changes some of what a node's kind says. With a `field`, keystrokes that follow each other are one step of undo. */
export type TaskEdit<Task> = (label: string, change: Partial<Task>, field?: string) => void;

/** Changes `task`, which is the kind of `node`. */
export function useTaskEdit<Task extends NodeKind>({ id }: Node, task: Task): TaskEdit<Task> {
  const edit = useNodeEdit(id);
  return (label, change, field) =>
    edit(label, (node) => ({ ...node, kind: { ...task, ...change } }), field);
}
