import type { Comment, CommentPlace, Edge, Node, NodeId, Plan } from "@/api/bindings";
import { displayTitle } from "@/plan/nodeText";

/** Where a comment can be, with the label of the choice. */
export interface PlaceOption {
  id: string;
  label: string;
  place: CommentPlace;
}

/** The fields of each kind that are commented on most, by their keys in plan files. */
const kindFields: Partial<Record<Node["kind"]["kind"], readonly string[]>> = {
  agent: ["prompt", "agent", "model"],
  llm_decision: ["prompt", "choices", "agent"],
  command: ["command"],
  tool_call: ["tool", "args"],
  user_input: ["question", "options"],
  condition: ["condition"],
  sub_plan: ["plan"],
};
const commonFields = [
  "description",
  "instructions",
  "acceptanceCriteria",
  "toolsRequired",
] as const;

/**
 * The places for a comment: the whole blueprint, and with a selected node also that node, its
 * fields and its edges. The node comes first.
 */
export function commentPlaces(draft: Plan, selected: NodeId | undefined): PlaceOption[] {
  const whole: PlaceOption = { id: "plan", label: "The whole blueprint", place: { on: "plan" } };
  const node = draft.nodes.find(({ id }) => id === selected);
  if (!node) return [whole];
  const title = (id: NodeId) =>
    displayTitle(draft.nodes.find((each) => each.id === id)?.title ?? "");
  const fields = [...(kindFields[node.kind.kind] ?? []), ...commonFields];
  const edges = draft.edges.filter(({ parent, child }) => parent === node.id || child === node.id);
  return [
    { id: "node", label: title(node.id), place: { on: "node", node: node.id } },
    ...fields.map((field) => ({
      id: `field ${field}`,
      label: `Field ${field}`,
      place: { on: "field" as const, node: node.id, field },
    })),
    ...edges.map((edge) => ({
      id: `edge ${edgeId(edge)}`,
      label: `Edge ${title(edge.parent)} → ${title(edge.child)}`,
      place: { on: "edge" as const, edge },
    })),
    whole,
  ];
}

function edgeId({ parent, child }: Edge): string {
  return `${parent} ${child}`;
}

/** The node at which a comment is shown: its own, or the one in which its edge ends. */
export function nodeOfComment({ place }: Comment): NodeId | undefined {
  switch (place.on) {
    case "plan":
      return undefined;
    case "node":
    case "field":
      return place.node;
    case "edge":
      return place.edge.child;
  }
}

/** The number of comments at each node that nobody answered. */
export function openCommentCounts(comments: readonly Comment[]): ReadonlyMap<NodeId, number> {
  const counts = new Map<NodeId, number>();
  for (const comment of comments) {
    const node = nodeOfComment(comment);
    if (node === undefined || comment.answer !== null) continue;
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  return counts;
}
