import type { Node, NodeId, Plan, Position } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { formatList } from "@/components/formatList";
import { type EdgeCondition, targetOf } from "./conditionalEdges";
import * as edits from "./edits";
import { nodesById } from "./nodesById";
import { adjacencyOf, type Refusal, reachable, refusalText, refusedEnds } from "./reachability";

/** The side of several nodes in edges between them and one other node. */
export type LinkSide = "parent" | "child";

/** An edge to draw; with a `condition`, that branch or jump of the parent. */
export interface Connection {
  parent: NodeId;
  child: NodeId;
  condition?: EdgeCondition | undefined;
}

/** Why one of several edges is not allowed. */
type SkipReason = Exclude<Refusal["why"], "itself">;

/**
 * The edges that connect several nodes to one `other`, and what is left out of them, as text.
 * Leaves out `other` itself and nodes that are gone without a word.
 */
export function connectionsTo(
  plan: Pick<Plan, "nodes" | "edges">,
  nodes: Iterable<NodeId>,
  as: LinkSide,
  other: NodeId,
): { connections: Connection[]; skipped: string } {
  const byId = nodesById(plan);
  if (byId.get(other)?.kind.kind === "note")
    return { connections: [], skipped: refusalText({ why: "note" }, plan) };
  const { childrenOf, parentsOf } = adjacencyOf(plan);
  const [toNodes, toOther] = as === "parent" ? [parentsOf, childrenOf] : [childrenOf, parentsOf];
  const connected = new Set(toNodes.get(other));
  // All edges have one end in common: one search finds every cycle, and none of them can make
  // another one a cycle.
  const closing = reachable(toOther, other);
  const connections: Connection[] = [];
  const skipped: SkipReason[] = [];
  for (const id of nodes) {
    const node = byId.get(id);
    if (!node || id === other) continue;
    if (node.kind.kind === "note") skipped.push("note");
    else if (connected.has(id)) skipped.push("duplicate");
    else if (closing.has(id)) skipped.push("cycle");
    else if (as === "parent")
      connections.push({ parent: id, child: other, condition: freeBranch(node) });
    else connections.push({ parent: other, child: id });
  }
  return { connections, skipped: skippedText(skipped) };
}

/** With more nodes than this, finding the ends that all of them refuse would delay the drag. */
const maxSearched = 50;

/**
 * The nodes that none of the edges from (or to) `nodes` can end at. None for many nodes, of which
 * nearly always one can be connected.
 */
export function endsRefusedByAll(
  plan: Pick<Plan, "nodes" | "edges">,
  nodes: readonly NodeId[],
  as: LinkSide,
  condition: EdgeCondition | undefined,
): Set<NodeId> {
  const byId = nodesById(plan);
  const ends = nodes.filter((id) => isConnectable(byId.get(id)));
  const [first, ...others] = ends;
  if (first === undefined || ends.length > maxSearched) return new Set();
  let refused = refusedEnds(plan, first, as, condition);
  for (const id of others) {
    if (refused.size === 0) break;
    const more = refusedEnds(plan, id, as, condition);
    refused = new Set([...refused].filter((end) => more.has(end)));
  }
  return refused;
}

/** Reports whether a node is there and can have edges. */
export function isConnectable(node: Node | undefined): boolean {
  return node !== undefined && node.kind.kind !== "note";
}

/**
 * The nodes that are left of those where drawing edges by keyboard began; none if the edge that is
 * being moved is gone.
 */
export function linkStarts(
  plan: Plan,
  linking: readonly NodeId[],
  moved: string | undefined,
): readonly NodeId[] {
  if (moved !== undefined && !edits.endsOf(plan, moved)) return [];
  const byId = nodesById(plan);
  return linking.filter((id) => byId.has(id));
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
export function skippedText(skipped: readonly SkipReason[]): string {
  const count = (kind: SkipReason) => skipped.filter((why) => why === kind).length;
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
