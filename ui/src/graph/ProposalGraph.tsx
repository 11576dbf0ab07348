import "./canvas.css";
import "./proposalGraph.css";
import { Controls, ReactFlow, type ReactFlowInstance } from "@xyflow/react";
import { type ReactElement, useEffect, useMemo, useRef } from "react";
import type { NodeId, Plan, ProposalView } from "@/api/bindings";
import { ProposedCard } from "./ProposedCard";
import { type GraphNode, graphOf, mergeDraftAndBase } from "./proposalGraph";
import { useFallbackPlaces } from "./useFallbackPlaces";

const nodeTypes = { proposed: ProposedCard };
/** Above so many nodes, those out of sight are not drawn. */
const maxDrawnNodes = 200;
const fit = { maxZoom: 1, padding: 0.15 };

export interface ProposalGraphProps {
  view: Pick<ProposalView, "draft" | "base" | "diff">;
  label?: string;
  selected: NodeId | undefined;
  /** Brought into view, whenever these are others. */
  shown?: readonly NodeId[];
  onSelect: (node: NodeId | undefined) => void;
}

/** One plan as a graph to look at, with what differs from another one marked; nothing where there is no plan. */
export function ProposalGraph(props: ProposalGraphProps): ReactElement | null {
  const { draft } = props.view;
  return draft && <GraphOfDraft {...props} draft={draft} />;
}

function GraphOfDraft({
  draft,
  view: { base, diff },
  label = "Proposal graph",
  selected,
  shown,
  onSelect,
}: ProposalGraphProps & { draft: Plan }): ReactElement | null {
  const union = useMemo(() => mergeDraftAndBase(draft, base), [draft, base]);
  const { places, ready: drawn } = useFallbackPlaces(union);
  const graph = useMemo(
    () => graphOf(draft, base, new Set(diff?.nodesChanged), places),
    [draft, base, diff, places],
  );
  const nodes = useMemo(
    () => graph.nodes.map((node) => ({ ...node, selected: node.id === selected })),
    [graph, selected],
  );
  const frame = useRef<HTMLDivElement>(null);
  const flow = useRef<ReactFlowInstance<GraphNode>>(undefined);
  // The panels around it find their sizes after it has been drawn.
  useEffect(() => {
    if (!drawn || !frame.current) return;
    let asked = 0;
    // The canvas learns its size in the same turn, perhaps after this.
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(() => void flow.current?.fitView(fit));
    });
    observer.observe(frame.current);
    return () => {
      cancelAnimationFrame(asked);
      observer.disconnect();
    };
  }, [drawn]);
  const wanted = shown?.join(" ") ?? "";
  useEffect(() => {
    if (wanted === "") return;
    const found = wanted.split(" ").map((id) => ({ id }));
    void flow.current?.fitView({ ...fit, padding: 0.6, nodes: found });
  }, [wanted]);
  if (!drawn) return null;

  return (
    <div ref={frame} className="relative min-h-0 min-w-0 flex-1 bg-canvas">
      <ReactFlow<GraphNode>
        onInit={(made) => {
          flow.current = made;
          // Its first fit was made before the panels around it had their sizes.
          requestAnimationFrame(() => void made.fitView(fit));
        }}
        nodes={nodes}
        edges={graph.edges}
        nodeTypes={nodeTypes}
        onNodeClick={(_, { id }) => onSelect(id)}
        onPaneClick={() => onSelect(undefined)}
        fitView
        fitViewOptions={fit}
        minZoom={0.05}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        panOnScroll
        onlyRenderVisibleElements={nodes.length > maxDrawnNodes}
        proOptions={{ hideAttribution: true }}
        aria-label={label}
      >
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}
