import type { Edge, Node, NodeId, OnFailure, Plan } from "@/api/bindings";
import { edgeKey } from "./edgeKey";

/**
 * Edges stored as fields of a node: the branches of a condition, and the jumps taken on success or
 * on failure. The canvas shows them as edges. Pure.
 */

/** When a conditional edge is followed. */
export type EdgeCondition = "true" | "false" | "success" | "failure";

/** An edge that is stored as a field of its parent node. */
export interface ConditionalEdge {
  kind: EdgeCondition;
  parent: NodeId;
  child: NodeId;
}

/** "`child` comes after `parent`", from an edge or from a field of the parent. */
export interface DependencyLink {
  parent: NodeId;
  child: NodeId;
  soft: boolean;
}

/**
 * Reports whether the canvas draws only this edge when a plain hard edge connects the same nodes: it
 * shows the same order, and also when it is followed. A failure edge means something else.
 */
export function coversPlainEdge({ kind }: Pick<ConditionalEdge, "kind">): boolean {
  return kind !== "failure";
}

const separator = "#";

/**
 * The key of a conditional edge on the canvas and in a selection. Never equal to the key of a plain
 * edge.
 */
export function conditionalEdgeKey({
  parent,
  kind,
}: Pick<ConditionalEdge, "parent" | "kind">): string {
  return `${parent}${separator}${kind}`;
}

/**
 * Parses the key of a conditional edge, whether or not it leads anywhere; undefined for the key of
 * a plain edge.
 */
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

/** The node with another target, or none. Without a failure target, a failure ends the run. */
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

/** The conditional edges of one node, including those to missing nodes. */
export function conditionalEdgesOf(node: Node): ConditionalEdge[] {
  return kinds.flatMap((kind) => {
    const child = targetOf(node, kind);
    return child === null ? [] : [{ kind, parent: node.id, child }];
  });
}

// Avoids allocating empty lists: most nodes have no conditional edges, and a plan may have 10,000
// nodes.
function hasConditionalEdges({ kind, onSuccess, onFailure }: Node): boolean {
  return kind.kind === "condition" || onSuccess !== null || typeof onFailure === "object";
}

const conditionalEdgeCache = new WeakMap<readonly Node[], ConditionalEdge[]>();

/** The conditional edges of a plan whose targets exist. Cached per `nodes` array. */
export function conditionalEdgesIn({ nodes }: Pick<Plan, "nodes">): readonly ConditionalEdge[] {
  const before = conditionalEdgeCache.get(nodes);
  if (before) return before;
  const found = nodes.filter(hasConditionalEdges).flatMap(conditionalEdgesOf);
  const there = new Set(found.length === 0 ? [] : nodes.map((node) => node.id));
  const conditionalEdges = found.filter(({ child }) => there.has(child));
  conditionalEdgeCache.set(nodes, conditionalEdges);
  return conditionalEdges;
}

/**
 * The plain edges that the canvas draws. It draws one line where a branch or a jump covers a plain
 * hard edge.
 */
export function drawnPlainEdges(plan: Pick<Plan, "nodes" | "edges">): readonly Edge[] {
  const covering = conditionalEdgesIn(plan).filter(coversPlainEdge);
  if (covering.length === 0) return plan.edges;
  const covered = new Set(covering.map(edgeKey));
  return plan.edges.filter((edge) => edge.soft || !covered.has(edgeKey(edge)));
}

/**
 * Everything that orders the nodes of a plan: plain and conditional edges. Two nodes may be linked
 * more than once.
 */
export function allEdges(plan: Pick<Plan, "nodes" | "edges">): readonly DependencyLink[] {
  const conditionalEdges = conditionalEdgesIn(plan);
  if (conditionalEdges.length === 0) return plan.edges;
  return [
    ...plan.edges,
    ...conditionalEdges.map(({ parent, child }) => ({ parent, child, soft: false })),
  ];
}

/** The node without conditional edges to the nodes for which `gone` returns true. */
export function clearTargets(node: Node, gone: (id: NodeId) => boolean): Node {
  return conditionalEdgesOf(node).reduce(
    (left, { kind, child }) => (gone(child) ? setTarget(left, kind, null) : left),
    node,
  );
}

/** The node with the targets of its conditional edges mapped by `moved`. */
export function mapTargets(node: Node, moved: (id: NodeId) => NodeId | null): Node {
  return conditionalEdgesOf(node).reduce(
    (left, { kind, child }) => setTarget(left, kind, moved(child)),
    node,
  );
}

/** The label on a branch or jump. */
export const edgeConditionLabels: Record<EdgeCondition, string> = {
  true: "true",
  false: "false",
  success: "on success",
  failure: "on failure",
};
