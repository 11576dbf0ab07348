import { FastForward } from "lucide-react";
import type { ReactElement } from "react";
import type { Node, NodeRunView, RunView } from "@/api/bindings";
import { nodeChangeNotice } from "@/plan/changesSinceRun";
import { useEditor } from "@/plan/editor";

/**
 * Says that the node was edited after the run started, and how to affect the run. Renders nothing
 * if unchanged.
 */
export function EditedSinceRunNotice({
  node,
  run,
  nodeRun,
}: {
  node: Node;
  run: RunView;
  nodeRun: NodeRunView | undefined;
}): ReactElement | null {
  const words = useEditor((state) => nodeChangeNotice(node, state.plan, run, nodeRun));
  if (words === undefined) return null;
  return (
    <p className="flex items-start gap-2 border-b bg-raised px-4 py-2 text-12 text-muted">
      <FastForward aria-hidden="true" className="mt-px size-3.5 shrink-0" />
      <span className="min-w-0">{words}</span>
    </p>
  );
}
