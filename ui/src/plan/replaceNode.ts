import type { Node, NodeId, NodeKind, Plan } from "@/api/bindings";
import { targetOf } from "./conditionalEdges";
import { edgeKey } from "./edgeKey";
import { changeNode, connect, removeEdges, slugOf } from "./edits";
import { blankKind, blankTitles, type KindName } from "./kinds";

/**
 * Changes the kind of a node. The node keeps its edges, jumps, position, group and custom title.
 * Branches of a former condition become plain edges.
 */
export function replaceNode(plan: Plan, id: NodeId, kind: KindName): Plan {
  const node = plan.nodes.find((candidate) => candidate.id === id);
  if (!node || node.kind.kind === kind || kind === "note" || node.kind.kind === "note") return plan;
  const heads = (["true", "false"] as const).flatMap(
    (condition) => targetOf(node, condition) ?? [],
  );
  const changed = changeNode(plan, id, (before) => ({
    ...before,
    title: isBlank(before) ? blankTitles[kind] : before.title,
    kind: carriedOverFields(before.kind, blankKind(kind)),
  }));
  return heads.reduce((after, head) => {
    const there = new Set([edgeKey({ parent: id, child: head })]);
    return connect(removeEdges(after, there), id, head);
  }, changed);
}

function isBlank({ title, slug, kind }: Node): boolean {
  return title === blankTitles[kind.kind] && slug.startsWith(slugOf(title));
}

/** Keeps the agent, model and prompt when both kinds have them. */
function carriedOverFields(from: NodeKind, to: NodeKind): NodeKind {
  const isAsked = (kind: NodeKind) => kind.kind === "agent" || kind.kind === "llm_decision";
  if (!isAsked(from) || !isAsked(to)) return to;
  const { agent, model, prompt } = from as Extract<NodeKind, { kind: "agent" }>;
  return { ...to, agent, model, ...(prompt !== "" && { prompt }) } as NodeKind;
}
