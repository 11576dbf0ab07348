import type { Edge, Node, NodeId, Plan } from "@/api/bindings";
import {
  conditionalEdgeKey,
  conditionalEdgesIn,
  type DependencyLink,
  setTarget,
  targetOf,
} from "./conditionalEdges";
import { edgeKey } from "./edgeKey";
import { removeNodes } from "./edits";

/**
 * Deletes nodes and connects their parents to their children. A branch into a deleted node moves to
 * the first child. A chain that contains a soft edge becomes a soft edge, unless another chain is
 * hard. Jumps on failure are dropped, because a deleted node can't fail. Reachability between the
 * other nodes is preserved, and no cycle arises.
 */
export function removeAndReconnect(plan: Plan, ids: ReadonlySet<NodeId>): Plan {
  const after = removeNodes(plan, ids);
  if (after === plan) return plan;
  const next = linksFrom(plan, ids);
  const edges = new Map(after.edges.map((edge) => [edgeKey(edge), edge]));
  const branches = new Map<string, NodeId>();
  const linked = new Set(conditionalEdgesIn(after).map(edgeKey));

  const unconfirmed = plan.edges.filter(
    (edge) => edge.inferred && (ids.has(edge.parent) || ids.has(edge.child)),
  );
  /** An edge that replaces an inferred one is inferred too. */
  const isInferred = (parent: NodeId, child: NodeId, known: Edge | undefined): boolean =>
    known
      ? known.inferred === true
      : unconfirmed.some(
          (edge) =>
            (edge.parent === parent || ids.has(edge.parent)) &&
            (edge.child === child || ids.has(edge.child)),
        );

  const join = (parent: NodeId, child: NodeId, soft: boolean) => {
    const key = edgeKey({ parent, child });
    const known = edges.get(key);
    if (linked.has(key) || (known && (soft || !known.soft))) return;
    edges.set(key, { parent, child, soft, ...(isInferred(parent, child, known) && inferred) });
  };

  for (const { parent, child, soft } of plan.edges) {
    if (ids.has(parent) || !ids.has(child)) continue;
    for (const [end, isSoft] of reachableEnds(child, soft, next, ids)) join(parent, end, isSoft);
  }
  for (const { kind, parent, child } of conditionalEdgesIn(plan)) {
    if (ids.has(parent) || !ids.has(child) || kind === "failure") continue;
    const ends = [...reachableEnds(child, false, next, ids)];
    const head = ends.find(([, soft]) => !soft)?.[0];
    if (head !== undefined) {
      branches.set(conditionalEdgeKey({ parent, kind }), head);
      linked.add(edgeKey({ parent, child: head }));
      edges.delete(edgeKey({ parent, child: head }));
    }
    for (const [end, soft] of ends) join(parent, end, soft);
  }
  return {
    ...after,
    nodes: after.nodes.map((node) => withBranches(node, branches)),
    edges: inOriginalOrder(after.edges, edges),
  };
}

const inferred = { inferred: true };

type Next = ReadonlyMap<NodeId, readonly DependencyLink[]>;

/** The outgoing edges of each of `ids`, except jumps on failure. */
function linksFrom(plan: Plan, ids: ReadonlySet<NodeId>): Next {
  const next = new Map<NodeId, DependencyLink[]>();
  const add = (link: DependencyLink) => {
    if (!ids.has(link.parent)) return;
    const links = next.get(link.parent);
    if (links) links.push(link);
    else next.set(link.parent, [link]);
  };
  for (const edge of plan.edges) add(edge);
  for (const condition of conditionalEdgesIn(plan))
    if (condition.kind !== "failure")
      add({ parent: condition.parent, child: condition.child, soft: false });
  return next;
}

/**
 * The nodes outside `gone` that are reached through it from `start`, and whether only by soft
 * chains.
 */
function reachableEnds(
  start: NodeId,
  soft: boolean,
  next: Next,
  gone: ReadonlySet<NodeId>,
): Map<NodeId, boolean> {
  const ends = new Map<NodeId, boolean>();
  const seen = new Map<NodeId, boolean>([[start, soft]]);
  const open: [NodeId, boolean][] = [[start, soft]];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [node, isSoft] = at;
    for (const link of next.get(node) ?? []) {
      const linkSoft = isSoft || link.soft;
      const found = gone.has(link.child) ? seen : ends;
      const before = found.get(link.child);
      // A hard chain wins over a soft one.
      if (before !== undefined && (linkSoft || !before)) continue;
      found.set(link.child, linkSoft);
      if (gone.has(link.child)) open.push([link.child, linkSoft]);
    }
  }
  return ends;
}

function withBranches(node: Node, branches: ReadonlyMap<string, NodeId>): Node {
  let changed = node;
  for (const kind of ["true", "false", "success"] as const) {
    const head = branches.get(conditionalEdgeKey({ parent: node.id, kind }));
    if (head !== undefined && targetOf(changed, kind) !== head)
      changed = setTarget(changed, kind, head);
  }
  return changed;
}

function inOriginalOrder(before: readonly Edge[], edges: Map<string, Edge>): Edge[] {
  const kept = before.flatMap((edge) => edges.get(edgeKey(edge)) ?? []);
  const known = new Set(kept.map(edgeKey));
  return [...kept, ...[...edges.values()].filter((edge) => !known.has(edgeKey(edge)))];
}
