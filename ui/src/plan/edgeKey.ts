import type { Edge } from "@/api/bindings";

/**
 * The key of an edge on the canvas and in a selection. A plan has at most one edge between two
 * nodes.
 */
export function edgeKey({ parent, child }: Pick<Edge, "parent" | "child">): string {
  return `${parent}>${child}`;
}
