import type { Node, NodeId, Plan, Position } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { formatList } from "@/components/formatList";
import { type EdgeCondition, targetOf } from "./conditionalEdges";
import * as edits from "./edits";
import { nodesById } from "./nodesById";
import { connectionRefusal, type Refusal } from "./reachability";

/** The side of several nodes in edges between them and one other node. */
export type LinkSide = "parent" | "child";

/** An edge to draw; with a `condition`, that branch or jump of the parent. */
export interface Connection {
  parent: NodeId;
  child: NodeId;
  condition?: EdgeCondition | undefined;
}

/**
 * The edges that connect several nodes to one `other`, and why the rest of them are not allowed. A
 * node is not connected to itself, which is no refusal.
 */
export function connectionsTo(
  plan: Pick<Plan, "nodes" | "edges">,
  nodes: Iterable<NodeId>,
  as: LinkSide,
  other: NodeId,
): { connections: Connection[]; refusals: Refusal[] } {
  const byId = nodesById(plan);
  const connections: Connection[] = [];
  const refusals: Refusal[] = [];
  for (const id of nodes) {
    if (id === other) continue;
    const ends = as === "parent" ? { parent: id, child: other } : { parent: other, child: id };
    // All edges have one end in common, so that none of them can make another one a cycle.
    const refusal = connectionRefusal(plan, ends.parent, ends.child);
    const node = byId.get(id);
    const condition = as === "parent" && node ? freeBranch(node) : undefined;
    if (refusal) refusals.push(refusal);
    else connections.push({ ...ends, condition });
  }
  return { connections, refusals };
}

/** Draws the edges. The caller must have checked them. */
export function applyConnections(plan: Plan, connections: readonly Connection[]): Plan {
  return connections.reduce(
    (before, { parent, child, condition }) =>
      condition
        ? edits.setWay(before, parent, condition, child)
        : edits.connect(before, parent, child),
    plan,
  );
}

/**
 * The nodes that an edge drawn from `from` is drawn for: all selected ones if it is one of them. A
 * branch or jump is drawn from its own node only.
 */
export function draggedNodes(
  from: NodeId,
  selection: ReadonlySet<NodeId>,
  condition: EdgeCondition | undefined,
): NodeId[] {
  return condition === undefined && selection.size > 1 && selection.has(from)
    ? [...selection]
    : [from];
}

/** What was left out, as text: "2 are already connected and 1 would create a cycle". */
export function skippedText(refusals: readonly Refusal[]): string {
  const count = (kind: Refusal["why"]) => refusals.filter(({ why }) => why === kind).length;
  const [duplicates, cycles, notes] = [count("duplicate"), count("cycle"), count("note")];
  const parts = [
    duplicates > 0 &&
      `${formatNumber(duplicates)} ${duplicates === 1 ? "is" : "are"} already connected`,
    cycles > 0 && `${formatNumber(cycles)} would create a cycle`,
    notes > 0 && `${formatNumber(notes)} ${notes === 1 ? "is a note" : "are notes"}`,
  ];
  return formatList(parts.filter((part) => part !== false));
}

/** The first branch of a condition without a target, the true branch first. */
export function freeBranch(node: Node): EdgeCondition | undefined {
  if (node.kind.kind !== "condition") return undefined;
  return (["true", "false"] as const).find((condition) => targetOf(node, condition) === null);
}

/**
 * The place that a node after all of `places` is put next to: as far along as the furthest of them,
 * in the middle across.
 */
export function joinPlace(
  places: readonly Position[],
  direction: Plan["direction"],
): Position | undefined {
  if (places.length === 0) return undefined;
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  return direction === "top_down"
    ? { x: middle(xs), y: Math.max(...ys) }
    : { x: Math.max(...xs), y: middle(ys) };
}
