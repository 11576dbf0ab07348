import type { NodeId } from "@/api/bindings";

/** The node whose card or row has or contains the focus. */
export function focusedNode(): NodeId | undefined {
  const place = document.activeElement?.closest<HTMLElement>(".react-flow__node, [data-row]");
  return place?.dataset.row ?? place?.dataset.id;
}
