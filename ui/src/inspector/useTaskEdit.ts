import type { Node, NodeKind } from "@/api/bindings";
import { useNodeEdit } from "./useNodeEdit";

/** Changes part of a node's kind. With a `field`, consecutive keystrokes are one undo step. */
export type TaskEdit<Task> = (label: string, change: Partial<Task>, field?: string) => void;

/** Returns a function that changes `task`, the kind of `node`. */
export function useTaskEdit<Task extends NodeKind>({ id }: Node, task: Task): TaskEdit<Task> {
  const edit = useNodeEdit(id);
  return (label, change, field) =>
    edit(label, (node) => ({ ...node, kind: { ...task, ...change } }), field);
}
