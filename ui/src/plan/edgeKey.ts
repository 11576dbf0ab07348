import type { Edge } from "@/api/bindings";

/** The name of an edge on the canvas and in a selection. A plan has no two edges between the same nodes. */
export function edgeKey({ parent, child }: Pick<Edge, "parent" | "child">): string {
  return `${parent}>${child}`;
}
