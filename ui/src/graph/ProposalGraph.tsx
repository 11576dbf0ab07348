import "./canvas.css";
import "./proposalGraph.css";
import { Controls, ReactFlow, type ReactFlowInstance } from "@xyflow/react";
import { type ReactElement, useEffect, useMemo, useRef } from "react";
import type { NodeId, Plan, ProposalView } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { ProposedCard } from "./ProposedCard";
import { type GraphNode, graphOf, mergeDraftAndBase } from "./proposalGraph";
import { useFallbackPlaces } from "./useFallbackPlaces";

const nodeTypes = { proposed: ProposedCard };
/** Above this many nodes, React Flow renders only visible ones. */
const maxDrawnNodes = 200;
const noComments: ReadonlyMap<NodeId, number> = new Map();
const fit = { maxZoom: 1, padding: 0.15 };

export interface ProposalGraphProps {
  view: Pick<ProposalView, "draft" | "base" | "diff">;
  label?: string;
  selected: NodeId | undefined;
  /** Nodes to scroll into view whenever the list changes. */
  shown?: readonly NodeId[];
  onSelect: (node: NodeId | undefined) => void;
  /** The number of comments at each node that nobody answered. */
  comments?: ReadonlyMap<NodeId, number>;
}

/**
 * A read-only graph of a proposed plan with its differences from another plan marked. Renders
 * nothing without a draft.
 */
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
  comments = noComments,
}: ProposalGraphProps & { draft: Plan }): ReactElement | null {
  const union = useMemo(() => mergeDraftAndBase(draft, base), [draft, base]);
  const { places, ready: drawn } = useFallbackPlaces(union);
  const graph = useMemo(
    () => graphOf(draft, base, new Set(diff?.nodesChanged), places),
    [draft, base, diff, places],
  );
  const nodes = useMemo(
    () =>
      graph.nodes.map((node) => {
        const count = comments.get(node.id) ?? 0;
        return {
          ...node,
          selected: node.id === selected,
          ...(count > 0 && {
            data: { ...node.data, comments: count },
            ariaLabel: `${node.ariaLabel}, ${formatCount(count, "open comment")}`,
          }),
        };
      }),
    [graph, selected, comments],
  );
  const frame = useRef<HTMLDivElement>(null);
  const flow = useRef<ReactFlowInstance<GraphNode>>(undefined);
  // Refit when the size changes: the panels around the graph are resized after the first render.
  useEffect(() => {
    if (!drawn || !frame.current) return;
    let asked = 0;
    // React Flow measures its size in the same frame, possibly after this callback.
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
          // React Flow's own first fit happens before the panels have their final sizes.
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
