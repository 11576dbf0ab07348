import type { Edge, Group, GroupId, Node, NodeId, Plan, Position } from "@/api/bindings";
import { conditionalEdgesIn, conditionalEdgesOf, mapTargets } from "@/plan/conditionalEdges";
import { edgeKey } from "@/plan/edgeKey";
import { blankNode } from "@/plan/edits";
import { formatNodesAndNotes } from "@/plan/nodeCounts";

/**
 * A plan in which each collapsed group is one card, for display on the canvas only. Members are
 * left out, and their outside edges lead to the card, which is at the group's upper left corner.
 * Pure; doesn't change the plan.
 */
export interface CollapsedPlan {
  nodes: Node[];
  edges: Edge[];
  /** The collapsed group that contains each hidden node. */
  hidden: ReadonlyMap<NodeId, GroupId>;
}

type Places = ReadonlyMap<NodeId, Position>;
const groupOfCard = new WeakMap<Node, Group>();
const cards = new WeakMap<Group, Node>();
const sizeOfCard = new WeakMap<Node, string>();
const noneHidden: ReadonlyMap<NodeId, GroupId> = new Map();

/** The group that a card represents; undefined for a node of the plan. */
export function collapsedGroupOf(node: Node): Group | undefined {
  return groupOfCard.get(node);
}

/** What a group card contains, such as "2 nodes and 1 note". */
export function collapsedGroupSize(card: Node): string {
  return sizeOfCard.get(card) ?? "";
}

export function collapseGroups(
  plan: Pick<Plan, "nodes" | "edges" | "groups">,
  collapsed: ReadonlySet<GroupId>,
  fallback: Places,
): CollapsedPlan {
  const groups = plan.groups.filter(({ id, nodes }) => collapsed.has(id) && nodes.length > 0);
  if (groups.length === 0) return { nodes: plan.nodes, edges: plan.edges, hidden: noneHidden };
  const hidden = new Map(groups.flatMap(({ id, nodes }) => nodes.map((node) => [node, id])));
  const shown = (id: NodeId) => hidden.get(id) ?? id;
  const byId = new Map(plan.nodes.map((node) => [node.id, node]));
  const placeOf = (id: NodeId) => byId.get(id)?.position ?? fallback.get(id);
  return {
    nodes: [
      ...plan.nodes.flatMap((node) =>
        hidden.has(node.id) ? [] : [leadsInto(node, hidden) ? mapTargets(node, shown) : node],
      ),
      ...groups.map((group) => {
        const card = cardOf(group, placeOf);
        sizeOfCard.set(card, formatNodesAndNotes(group.nodes.flatMap((id) => byId.get(id) ?? [])));
        return card;
      }),
    ],
    edges: collapsedEdges(plan, hidden, shown),
    hidden,
  };
}

function leadsInto(node: Node, hidden: ReadonlyMap<NodeId, GroupId>): boolean {
  return conditionalEdgesOf(node).some(({ child }) => hidden.has(child));
}

/** The remaining edges without duplicates. A hard edge wins over a soft one. */
function collapsedEdges(
  plan: Pick<Plan, "nodes" | "edges">,
  hidden: ReadonlyMap<NodeId, GroupId>,
  shown: (id: NodeId) => NodeId,
): Edge[] {
  const edges = new Map<string, Edge>();
  const add = (edge: Edge) => {
    const [parent, child] = [shown(edge.parent), shown(edge.child)];
    if (parent === child) return;
    const there = edges.get(edgeKey({ parent, child }));
    if (there && (!there.soft || edge.soft)) return;
    const isSame = parent === edge.parent && child === edge.child;
    edges.set(edgeKey({ parent, child }), isSame ? edge : { ...edge, parent, child });
  };
  for (const edge of plan.edges) add(edge);
  // A group card has no outlets for branches and jumps, so they become plain edges.
  for (const { parent, child } of conditionalEdgesIn(plan))
    if (hidden.has(parent)) add({ parent, child, soft: false });
  return [...edges.values()];
}

function cardOf(group: Group, placeOf: (id: NodeId) => Position | undefined): Node {
  const places = group.nodes.flatMap((id) => placeOf(id) ?? []);
  const position = {
    x: Math.min(...places.map(({ x }) => x), places.length === 0 ? 0 : Infinity),
    y: Math.min(...places.map(({ y }) => y), places.length === 0 ? 0 : Infinity),
  };
  const known = cards.get(group);
  if (known?.position?.x === position.x && known.position.y === position.y) return known;
  const blank = blankNode({ nodes: [] }, "command", position);
  const card = { ...blank, id: group.id, title: group.title };
  cards.set(group, card);
  groupOfCard.set(card, group);
  return card;
}

/**
 * Maps positions of canvas nodes to positions of plan nodes: a group card moves its members along.
 */
export function expandPositions(
  plan: Pick<Plan, "nodes" | "groups">,
  folded: Pick<CollapsedPlan, "nodes">,
  places: Places,
  fallback: Places,
): Places {
  const cardsMoved = folded.nodes.filter((node) => places.has(node.id) && collapsedGroupOf(node));
  if (cardsMoved.length === 0) return places;
  const byId = new Map(plan.nodes.map((node) => [node.id, node]));
  const all = new Map(places);
  for (const card of cardsMoved) {
    const [to, from] = [places.get(card.id), card.position];
    all.delete(card.id);
    for (const id of collapsedGroupOf(card)?.nodes ?? []) {
      const place = byId.get(id)?.position ?? fallback.get(id);
      if (to && from && place)
        all.set(id, { x: place.x + to.x - from.x, y: place.y + to.y - from.y });
    }
  }
  return all;
}

/** Maps ids of canvas nodes to ids of plan nodes: a group card stands for all its members. */
export function expandIds(folded: Pick<CollapsedPlan, "nodes">, ids: Iterable<NodeId>): NodeId[] {
  const groups = new Map(
    folded.nodes.flatMap((node) => {
      const group = collapsedGroupOf(node);
      return group ? [[node.id, group.nodes] as const] : [];
    }),
  );
  return [...ids].flatMap((id) => groups.get(id) ?? [id]);
}
