import { type KeyboardEvent, type ReactElement, useRef } from "react";
import type { Edge } from "@/api/bindings";
import { Button } from "@/components/Button";
import { BulkFields } from "@/inspector/BulkFields";
import { EdgeInspector } from "@/inspector/EdgeInspector";
import { NodeInspector } from "@/inspector/NodeInspector";
import { useBlueprint } from "@/plan/blueprintContext";
import { edgeKey } from "@/plan/edgeKey";
import { useEditor } from "@/plan/editor";
import { focusSelectedNode } from "@/plan/inspectorFocus";
import { formatNodesAndNotes } from "@/plan/nodeCounts";
import { PastNodePanel } from "@/playback/PastNodePanel";
import { PlanPanel } from "./PlanPanel";
import { useToastInset } from "./useToastInset";

/** The panel on the right: the selected node, nodes or edge, or the plan if nothing is selected. */
export function SidePanel(): ReactElement {
  const count = useEditor((state) => state.selection.size);
  const past = useEditor(({ run }) => (run?.past ? run : undefined));
  const edge = useEditor(({ selection, selectedEdges, plan }) =>
    selection.size === 0 && selectedEdges.size === 1
      ? plan.edges.find((candidate) => selectedEdges.has(edgeKey(candidate)))
      : undefined,
  );
  const { page } = useBlueprint();
  const panel = useRef<HTMLDivElement>(null);
  useToastInset(panel);

  /**
   * Returns the focus to the canvas on Escape. Open fields, lists and menus handle Escape
   * themselves.
   */
  function leave(event: KeyboardEvent<HTMLElement>) {
    const inside = event.currentTarget.contains(event.target as Element);
    if (event.key !== "Escape" || event.defaultPrevented || !inside) return;
    focusSelectedNode(page.getState().canvas);
  }

  return (
    <div ref={panel} className="flex min-h-0 min-w-0 flex-1 flex-col">
      {past ? (
        <PastNodePanel run={past} />
      ) : (
        <aside
          data-side=""
          tabIndex={-1}
          onKeyDown={leave}
          aria-label={count === 0 && !edge ? "Blueprint settings" : "Inspector"}
          className="flex min-h-0 flex-1 flex-col overflow-auto bg-surface"
        >
          {edge ? (
            <EdgePanel edge={edge} />
          ) : count === 0 ? (
            <PlanPanel />
          ) : count === 1 ? (
            <NodePanel />
          ) : (
            <MultiSelectionPanel />
          )}
        </aside>
      )}
    </div>
  );
}

function EdgePanel({ edge }: { edge: Edge }): ReactElement {
  const run = useEditor((state) => state.run);
  const plan = useEditor((state) => state.plan);
  return <EdgeInspector key={edgeKey(edge)} edge={edge} plan={plan} run={run} />;
}

function NodePanel(): ReactElement | null {
  const run = useEditor((state) => state.run);
  const node = useEditor(({ selection, plan: { nodes } }) =>
    nodes.find((candidate) => selection.has(candidate.id)),
  );
  return node ? <NodeInspector key={node.id} node={node} run={run} /> : null;
}

function MultiSelectionPanel(): ReactElement {
  const { edit } = useBlueprint();
  const selection = useEditor((state) => state.selection);
  const nodes = useEditor((state) => state.plan.nodes);
  const chosen = nodes.filter((node) => selection.has(node.id));
  return (
    <div className="flex flex-col gap-3 p-4">
      <h2 className="font-semibold">{formatNodesAndNotes(chosen)} selected</h2>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={edit.duplicate}>
          Duplicate
        </Button>
        <Button size="small" onClick={edit.remove}>
          Delete
        </Button>
      </div>
      <BulkFields nodes={chosen} />
      <p className="text-12 text-faint">Select one node to see and edit what it does.</p>
    </div>
  );
}
