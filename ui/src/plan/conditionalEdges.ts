import type { Node, NodeId, OnFailure, Plan } from "@/api/bindings";

/**
 * The ways that nodes name themselves: the branches of a condition, and where a run goes on after a success or a
 * failure. On the canvas they are edges; in the plan they are fields of the node where they begin. Pure.
 */

/** On which occasion a way is taken. */
export type EdgeCondition = "true" | "false" | "success" | "failure";

/** A way from one node to another that stands in a field of the first. */
export interface ConditionalEdge {
  kind: EdgeCondition;
  parent: NodeId;
  child: NodeId;
}

/** "`child` comes after `parent`", whoever says so: an edge, or a field of the parent. */
export interface DependencyLink {
  parent: NodeId;
  child: NodeId;
  soft: boolean;
}

const separator = "#";

/** The name of a way on the canvas and in a selection; never that of an edge. */
export function conditionalEdgeKey({
  parent,
  kind,
}: Pick<ConditionalEdge, "parent" | "kind">): string {
  return `${parent}${separator}${kind}`;
}

/** The way that a key names, whether or not it leads anywhere; nothing for the key of an edge. */
export function parseConditionalEdgeKey(
  key: string,
): Pick<ConditionalEdge, "parent" | "kind"> | undefined {
  const [parent, kind] = key.split(separator);
  return parent !== undefined && isEdgeCondition(kind) ? { parent, kind } : undefined;
}

export function isEdgeCondition(word: string | null | undefined): word is EdgeCondition {
  return word === "true" || word === "false" || word === "success" || word === "failure";
}

/** The node that a field of `node` leads to. */
export function targetOf(node: Node, kind: EdgeCondition): NodeId | null {
  switch (kind) {
    case "true":
      return node.kind.kind === "condition" ? node.kind.trueStep : null;
    case "false":
      return node.kind.kind === "condition" ? node.kind.falseStep : null;
    case "success":
      return node.onSuccess;
    case "failure":
      return typeof node.onFailure === "object" ? node.onFailure.node : null;
  }
}

/** The node with another target, or none. A failure that leads nowhere any more ends the run. */
export function setTarget(node: Node, kind: EdgeCondition, target: NodeId | null): Node {
  if (targetOf(node, kind) === target) return node;
  switch (kind) {
    case "true":
    case "false": {
      if (node.kind.kind !== "condition") return node;
      const field = kind === "true" ? "trueStep" : "falseStep";
      return { ...node, kind: { ...node.kind, [field]: target } };
    }
    case "success":
      return { ...node, onSuccess: target };
    case "failure": {
      const onFailure: OnFailure = target === null ? "abort" : { node: target };
      return { ...node, onFailure };
    }
  }
}

const kinds: readonly EdgeCondition[] = ["true", "false", "success", "failure"];

/** The ways of one node. */
export function conditionalEdgesOf(node: Node): ConditionalEdge[] {
  return kinds.flatMap((kind) => {
    const child = targetOf(node, kind);
    return child === null ? [] : [{ kind, parent: node.id, child }];
  });
}

// Most nodes have none, and of 10,000 each list that is made to stay empty counts.
function hasConditionalEdges({ kind, onSuccess, onFailure }: Node): boolean {
  return kind.kind === "condition" || onSuccess !== null || typeof onFailure === "object";
}

const conditionalEdgeCache = new WeakMap<readonly Node[], ConditionalEdge[]>();

/** The ways of a plan that lead to nodes that are there, kept as long as the list of nodes is the same object. */
export function conditionalEdgesIn({ nodes }: Pick<Plan, "nodes">): readonly ConditionalEdge[] {
  const before = conditionalEdgeCache.get(nodes);
  if (before) return before;
  const found = nodes.filter(hasConditionalEdges).flatMap(conditionalEdgesOf);
  const there = new Set(found.length === 0 ? [] : nodes.map((node) => node.id));
  const conditionalEdges = found.filter(({ child }) => there.has(child));
  conditionalEdgeCache.set(nodes, conditionalEdges);
  return conditionalEdges;
}

/** Everything that orders the nodes of a plan: its edges and its ways. Two nodes may be linked more than once. */
export function allEdges(plan: Pick<Plan, "nodes" | "edges">): readonly DependencyLink[] {
  const conditionalEdges = conditionalEdgesIn(plan);
  if (conditionalEdges.length === 0) return plan.edges;
  return [
    ...plan.edges,
    ...conditionalEdges.map(({ parent, child }) => ({ parent, child, soft: false })),
  ];
}

/** The node without ways to the nodes that `gone` holds. */
export function clearTargets(node: Node, gone: (id: NodeId) => boolean): Node {
  return conditionalEdgesOf(node).reduce(
    (left, { kind, child }) => (gone(child) ? setTarget(left, kind, null) : left),
    node,
  );
}

/** The node with its ways leading where `moved` says. */
export function mapTargets(node: Node, moved: (id: NodeId) => NodeId | null): Node {
  return conditionalEdgesOf(node).reduce(
    (left, { kind, child }) => setTarget(left, kind, moved(child)),
    node,
  );
}

/** What stands on a branch or jump. */
export const edgeConditionLabels: Record<EdgeCondition, string> = {
  true: "true",
  false: "false",
  success: "on success",
  failure: "on failure",
};
