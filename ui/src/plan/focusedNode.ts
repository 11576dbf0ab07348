import type { NodeId } from "@/api/bindings";

/** The node whose card or row has the focus, or holds what has it. */
export function focusedNode(): NodeId | undefined {
  const place = document.activeElement?.closest<HTMLElement>(".react-flow__node, [data-row]");
  return place?.dataset.row ?? place?.dataset.id;
}
