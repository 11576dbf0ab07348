import type { NodeId, Plan } from "@/api/bindings";
import { reorder } from "@/plan/edits";

/** The gap between rows that is nearest to a height; 0 is before the first row. */
export function dropIndexAt(y: number, rowHeight: number, rows: number): number {
  return Math.min(rows, Math.max(0, Math.round(y / rowHeight)));
}

/** Moves the rows of `ids` up or down by one. Rows at the end stay there. */
export function moveByOne(plan: Plan, ids: ReadonlySet<NodeId>, by: 1 | -1): Plan {
  const places = plan.nodes.flatMap((node, at) => (ids.has(node.id) ? [at] : []));
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return plan;
  return by === -1
    ? reorder(plan, ids, Math.max(0, first - 1))
    : reorder(plan, ids, Math.min(plan.nodes.length, last + 2));
}
