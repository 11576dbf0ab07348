import type { Plan } from "@/api/bindings";
import { allEdges } from "./conditionalEdges";

/** A node as a small box. */
interface ThumbnailNode {
  id: string;
  x: number;
  y: number;
  /** An agent works on it. */
  isAgent: boolean;
}

/** A plan in the measures of its picture. */
export interface PlanThumbnailData {
  width: number;
  height: number;
  nodes: ThumbnailNode[];
  /** SVG paths from parent to child. */
  edges: { path: string; soft: boolean }[];
}

/** The size of a node on the canvas, and in the picture relative to it. */
export const thumbnailNodeSize = { width: 220, height: 64 };

/** The graph of a plan where its nodes stand; notes are left out. Nodes without a place are not in the picture. */
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
