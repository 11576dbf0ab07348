import type { Plan } from "@/api/bindings";
import { allEdges } from "./conditionalEdges";

interface ThumbnailNode {
  id: string;
  x: number;
  y: number;
  /** Whether an agent works on the node. */
  isAgent: boolean;
}

/** The shapes of a plan's thumbnail. */
export interface PlanThumbnailData {
  width: number;
  height: number;
  nodes: ThumbnailNode[];
  /** SVG paths from parent to child. */
  edges: { path: string; soft: boolean }[];
}

/** The size of a node on the canvas; the thumbnail is scaled as a whole. */
export const thumbnailNodeSize = { width: 220, height: 64 };

/**
 * Lays out the thumbnail by the nodes' positions. Leaves out notes and nodes without a position.
 */
export function createThumbnail(plan: Plan): PlanThumbnailData {
  const placed = plan.nodes.flatMap(({ id, kind, position }) =>
    position && kind.kind !== "note"
      ? [{ id, isAgent: kind.kind === "agent" || kind.kind === "llm_decision", ...position }]
      : [],
  );
  const left = Math.min(...placed.map(({ x }) => x));
  const top = Math.min(...placed.map(({ y }) => y));
  const nodes = placed.map((node) => ({ ...node, x: node.x - left, y: node.y - top }));
  const byId = new Map(nodes.map((node) => [node.id, node]));

  const edges = allEdges(plan).flatMap(({ parent, child, soft }) => {
    const [from, to] = [byId.get(parent), byId.get(child)];
    return from && to ? [{ path: curve(from, to), soft }] : [];
  });
  return {
    width: Math.max(0, ...nodes.map(({ x }) => x)) + thumbnailNodeSize.width,
    height: Math.max(0, ...nodes.map(({ y }) => y)) + thumbnailNodeSize.height,
    nodes,
    edges,
  };
}

function curve(from: ThumbnailNode, to: ThumbnailNode): string {
  const { width, height } = thumbnailNodeSize;
  const [x1, y1] = [from.x + width, from.y + height / 2];
  const [x2, y2] = [to.x, to.y + height / 2];
  const bend = Math.max(30, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
