import type { Node } from "@/api/bindings";
import { useEditor } from "@/plan/editor";
import { changeNode } from "@/plan/edits";

/** Changes a node. With a `field`, consecutive keystrokes are one undo step. */
export type NodeEdit = (label: string, change: (node: Node) => Node, field?: string) => void;

export function useNodeEdit(id: string): NodeEdit {
  const edit = useEditor((editor) => editor.edit);
  return (label, change, field) =>
    edit(label, (plan) => changeNode(plan, id, change), field && `${id} ${field}`);
}
