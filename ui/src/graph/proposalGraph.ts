import { type Edge as FlowEdge, type Node as FlowNode, MarkerType } from "@xyflow/react";
import type { Edge, Node, NodeId, Plan, Position, Direction as Reading } from "@/api/bindings";
import { allEdges } from "@/plan/conditionalEdges";
import { cardSize, defaultDirection } from "@/plan/geometry";

/** What a proposal does to a node or an edge. */
export type Mark = "added" | "removed" | "changed" | "same";

interface ProposedNode extends Record<string, unknown> {
  node: Node;
  mark: Mark;
  /** The reading direction of the draft, which decides where edges attach. */
  reading: Reading;
  /** The number of comments that nobody answered; left out for none. */
  comments?: number;
}

export type GraphNode = FlowNode<ProposedNode, "proposed">;

export interface ProposalGraphData {
  nodes: GraphNode[];
  edges: FlowEdge[];
}

/** The distance below the draft for nodes that have no position. */
const shelf = 96;

/** The draft plus the removed nodes and their edges, as one plan that can be laid out. Pure. */
export function mergeDraftAndBase(draft: Plan, base: Plan | null): Plan {
  const drafted = new Set(draft.nodes.map(({ id }) => id));
  const gone = (base?.nodes ?? []).filter(({ id }) => !drafted.has(id));
  if (!base || gone.length === 0) return draft;
  const ids = new Set(gone.map(({ id }) => id));
  const ties = base.edges.filter(({ parent, child }) => ids.has(parent) || ids.has(child));
  return { ...draft, nodes: [...draft.nodes, ...gone], edges: [...draft.edges, ...ties] };
}

/**
 * Combines draft and base into one graph with marks for what is added, removed and changed. Without
 * a base, nothing is marked, because everything is new. Notes are left out. Nodes are placed by the
 * draft, removed nodes by the base, and nodes without a position by `places`. Pure.
 */
export function graphOf(
  draft: Plan,
  base: Plan | null,
  changed: ReadonlySet<string>,
  places: ReadonlyMap<NodeId, Position>,
): ProposalGraphData {
  const drafted = new Map(draft.nodes.map((node) => [node.id, node]));
  const earlier = new Map((base?.nodes ?? []).map((node) => [node.id, node]));
  const markOf = ({ id }: Node): Mark => {
    if (!base) return "same";
    if (!earlier.has(id)) return "added";
    if (!drafted.has(id)) return "removed";
    return changed.has(id) ? "changed" : "same";
  };

  const reading = draft.direction ?? defaultDirection;
  const all = mergeDraftAndBase(draft, base).nodes.filter(({ kind }) => kind.kind !== "note");
  const lowest = Math.max(0, ...draft.nodes.map(({ position }) => position?.y ?? 0));
  const nodes = all.map((node, at): GraphNode => {
    const onShelf = { x: at * (cardSize.width + 40), y: lowest + shelf };
    const mark = markOf(node);
    return {
      id: node.id,
      type: "proposed",
      position: node.position ?? places.get(node.id) ?? onShelf,
      data: { node, mark, reading },
      ariaLabel: `${node.title || node.slug}${mark === "same" ? "" : `, ${changeMarkLabels[mark]}`}`,
      ...cardSize,
    };
  });

  const there = new Set(nodes.map(({ id }) => id));
  const key = ({ parent, child }: Pick<Edge, "parent" | "child">) => `${parent} ${child}`;
  const now = new Map(allEdges(draft).map((link) => [key(link), link]));
  const before = new Map(base ? allEdges(base).map((link) => [key(link), link]) : []);
  const edges = [...new Map([...before, ...now])].flatMap(([id, link]): FlowEdge[] => {
    if (!there.has(link.parent) || !there.has(link.child)) return [];
    const mark =
      !base || (now.has(id) && before.has(id)) ? "same" : now.has(id) ? "added" : "removed";
    return [
      {
        id,
        source: link.parent,
        target: link.child,
        markerEnd: {
          type: MarkerType.ArrowClosed,
          width: 14,
          height: 14,
          color: edgeColors[mark],
        },
        className: `proposed-edge proposed-edge-${mark}${link.soft ? " proposed-edge-soft" : ""}`,
      },
    ];
  });
  return { nodes, edges };
}

const edgeColors: Record<Exclude<Mark, "changed">, string> = {
  added: "var(--state-done)",
  removed: "var(--state-failed)",
  same: "var(--edge)",
};

export const changeMarkLabels: Record<Mark, string> = {
  added: "new",
  removed: "removed",
  changed: "changed",
  same: "unchanged",
};
