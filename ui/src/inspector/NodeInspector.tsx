import type { ReactElement } from "react";
import type { Node, RunView } from "@/api/bindings";

export interface NodeInspectorProps {
  node: Node;
  run: RunView | undefined;
}

/** The selected node: what it does, and what a run made of it. */
export function NodeInspector({ node }: NodeInspectorProps): ReactElement {
  return <h2 className="p-4 font-semibold">{node.title}</h2>;
}
