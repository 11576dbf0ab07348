import type { Node, NodeId, NodeKind, Plan } from "@/api/bindings";
import { targetOf } from "./conditionalEdges";
import { edgeKey } from "./edgeKey";
import { changeNode, connect, removeEdges, slugOf } from "./edits";
import { blankKind, blankTitles, type KindName } from "./kinds";

/**
 * Lets a node do something else. It stays the node that it is: its edges, jumps, place, group and the title that
 * somebody gave it. Branches of a condition that is none any more become edges.
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

/** The words that one kind has and the other asks for too: who works, with which model, on what. */
function carriedOverFields(from: NodeKind, to: NodeKind): NodeKind {
  const isAsked = (kind: NodeKind) => kind.kind === "agent" || kind.kind === "llm_decision";
  if (!isAsked(from) || !isAsked(to)) return to;
  const { agent, model, prompt } = from as Extract<NodeKind, { kind: "agent" }>;
  return { ...to, agent, model, ...(prompt !== "" && { prompt }) } as NodeKind;
}
