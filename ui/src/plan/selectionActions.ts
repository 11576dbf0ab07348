import type { NodeId, Plan, Position } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { conditionalEdgeKey, conditionalEdgesIn } from "./conditionalEdges";
import { edgeKey } from "./edgeKey";
import type { Editor } from "./editor";
import { endsOf } from "./edits";
import { focusedNode } from "./focusedNode";
import { type Direction, neighbor } from "./geometry";
import { createGroupActions } from "./groupActions";
import type { Page } from "./page";
import { createPlanAccess, singleOf } from "./planAccess";
import { adjacencyOf } from "./reachability";
import { withReachableNodes } from "./reachableNodes";
import { matchesOf, nextMatch } from "./search";

/** What changes which nodes are selected, and nothing of the plan. */
export function createSelectionActions(editor: Editor, page: Page) {
  const { plan, selection, nodeOf, titleOf, placeOf, say } = createPlanAccess(editor, page);
  const { uncover } = createGroupActions(editor, page);

  /** Where the person is: at the card that has the focus, else at what was selected last. */
  const here = (): NodeId | undefined =>
    page.getState().canvas?.revealTarget() ??
    nodeOf(focusedNode() ?? "")?.id ??
    [...selection()].at(-1);

  /** Where an arrow leads from there; along a selected edge to its end; to the first node from nowhere. */
  function stepTo(direction: Direction): NodeId | undefined {
    const key = selection().size === 0 ? singleOf(editor.getState().selectedEdges) : undefined;
    const ends = key && endsOf(plan(), key);
    const { onward, back } = navigationKeys(plan().direction);
    if (ends && direction === onward) return ends.child;
    if (ends && direction === back) return ends.parent;
    const from = here();
    return from ? stepFrom(plan(), from, direction, placeOf) : plan().nodes[0]?.id;
  }

  return {
    selectKin(towards: "upstream" | "downstream") {
      const found = withReachableNodes(plan(), selection(), towards);
      const more = found.size - selection().size;
      editor.getState().select(found);
      say(`${formatCount(more, "node")} ${towards} added to the selection`);
    },

    /** The nodes that are found by what stands in the field. */
    matches: () => matchesOf(plan(), page.getState().search),

    goToMatch(step: 1 | -1) {
      const id = nextMatch(matchesOf(plan(), page.getState().search), selection(), step);
      if (!id) return;
      uncover(id);
      editor.getState().select([id]);
      page.getState().canvas?.show(id);
    },

    selectAll() {
      editor.getState().select(plan().nodes.map((node) => node.id));
    },

    /** Selects the neighbor of the selected node; a child or a parent before what merely lies there. */
    walk(direction: Direction) {
      const to = stepTo(direction);
      if (!to) return;
      editor.getState().select([to]);
      page.getState().canvas?.reveal(to);
    },

    /** Goes to the neighbor and leaves selected what is; `toggle` then takes one more. */
    stroll(direction: Direction) {
      const to = stepTo(direction);
      if (to) page.getState().canvas?.reveal(to);
    },

    /** Selects the node that has the focus too, or not any more. */
    toggle() {
      const id = here();
      if (!id) return;
      const chosen = new Set(selection());
      const isMore = !chosen.delete(id);
      if (isMore) chosen.add(id);
      editor.getState().select(chosen);
      say(
        `${titleOf(id)} ${isMore ? "selected" : "not selected"}, ${formatCount(chosen.size, "node")} total`,
      );
    },

    /** Selects the edges of the node that has the focus, one after the other: where it leads, then what leads to it. */
    nextEdge() {
      const id = here();
      const keys = id ? edgesAt(plan(), id) : [];
      const at = keys.findIndex((key) => editor.getState().selectedEdges.has(key));
      const key = keys[(at + 1) % keys.length];
      const ends = key && endsOf(plan(), key);
      if (!ends) return say("This node has no edges");
      editor.getState().select([], [key]);
      say(
        `Edge ${((at + 1) % keys.length) + 1} of ${keys.length}, from ${titleOf(ends.parent)} to ${titleOf(ends.child)}`,
      );
    },
  };
}

/** Which way one walks to a child, and which way back to a parent. */
export function navigationKeys(reading: Plan["direction"]): Record<"onward" | "back", Direction> {
  return reading === "top_down"
    ? { onward: "down", back: "up" }
    : { onward: "right", back: "left" };
}

/** The keys of everything that begins or ends at a node. */
function edgesAt(plan: Plan, id: NodeId): string[] {
  const lines = [
    ...plan.edges.map((edge) => ({ ...edge, key: edgeKey(edge) })),
    ...conditionalEdgesIn(plan).map((condition) => ({
      ...condition,
      key: conditionalEdgeKey(condition),
    })),
  ];
  const away = lines.filter(({ parent }) => parent === id);
  const towards = lines.filter(({ child }) => child === id);
  return [...away, ...towards].map(({ key }) => key);
}

function stepFrom(
  plan: Plan,
  from: NodeId,
  direction: Direction,
  placeOf: (id: NodeId) => Position | undefined,
): NodeId | undefined {
  const start = placeOf(from);
  if (!start) return undefined;
  const places = new Map<NodeId, Position>();
  for (const node of plan.nodes) {
    const place = placeOf(node.id);
    if (place) places.set(node.id, place);
  }
  const { childrenOf, parentsOf } = adjacencyOf(plan);
  const { onward, back } = navigationKeys(plan.direction);
  const kin = direction === onward ? childrenOf : direction === back ? parentsOf : undefined;
  return neighbor(start, direction, places, kin?.get(from) ?? []);
}
