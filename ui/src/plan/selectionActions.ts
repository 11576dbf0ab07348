import type { NodeId, Plan, Position } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { conditionalEdgeKey, conditionalEdgesIn, drawnPlainEdges } from "./conditionalEdges";
import { edgeKey } from "./edgeKey";
import type { Editor } from "./editor";
import { endsOf } from "./edits";
import { focusedNode } from "./focusedNode";
import { type Direction, neighbor } from "./geometry";
import { createGroupActions } from "./groupActions";
import { formatChosen } from "./nodeCounts";
import type { Page } from "./page";
import { createPlanAccess, singleOf } from "./planAccess";
import { adjacencyOf } from "./reachability";
import { withReachableNodes } from "./reachableNodes";
import { matchesOf, nextMatch } from "./search";

/** Actions that change the selection but not the plan. */
export function createSelectionActions(editor: Editor, page: Page) {
  const { plan, selection, nodeOf, titleOf, placeOf, say } = createPlanAccess(editor, page);
  const { uncover } = createGroupActions(editor, page);

  /** The current node: the one with the focus, or else the one selected last. */
  const here = (): NodeId | undefined =>
    page.getState().canvas?.revealTarget() ??
    nodeOf(focusedNode() ?? "")?.id ??
    [...selection()].at(-1);

  const isNothingSelected = () =>
    selection().size === 0 && editor.getState().selectedEdges.size === 0;

  /**
   * Where an arrow key leads: along a selected edge to its end, or to the first node if there is no
   * current one.
   */
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
    selectReachable(towards: "upstream" | "downstream") {
      const found = withReachableNodes(plan(), selection(), towards);
      const more = found.size - selection().size;
      editor.getState().select(found);
      say(`${formatCount(more, "node")} ${towards} added to the selection`);
    },

    /** The nodes that match the search text. */
    matches: () => matchesOf(plan(), page.getState().search),

    goToMatch(step: 1 | -1) {
      const id = nextMatch(matchesOf(plan(), page.getState().search), selection(), step);
      if (!id) return;
      uncover(id);
      editor.getState().select([id]);
      page.getState().canvas?.show(id);
    },

    /** Selects the node that has the focus, unless something else is selected. */
    selectFocused() {
      const id = nodeOf(focusedNode() ?? "")?.id;
      if (id !== undefined && isNothingSelected()) editor.getState().select([id]);
    },

    selectAll() {
      editor.getState().select(plan().nodes.map((node) => node.id));
    },

    /**
     * Selects the neighbor in a direction; children and parents are preferred over nodes that are
     * merely nearby.
     */
    walk(direction: Direction) {
      // Without a neighbor, an arrow key at least selects the node that has the focus.
      const to = stepTo(direction) ?? (isNothingSelected() ? here() : undefined);
      if (!to) return;
      editor.getState().select([to]);
      page.getState().canvas?.reveal(to);
    },

    /**
     * Moves the focus to the neighbor and keeps the selection; `toggle` can then add the node to
     * it.
     */
    stroll(direction: Direction) {
      const to = stepTo(direction);
      if (to) page.getState().canvas?.reveal(to);
    },

    /** Adds the current node to the selection, or removes it. */
    toggle() {
      const id = here();
      if (!id) return;
      const chosen = new Set(selection());
      const isMore = !chosen.delete(id);
      if (isMore) chosen.add(id);
      editor.getState().select(chosen);
      say(
        `${titleOf(id)} ${isMore ? "selected" : "not selected"}, ${formatChosen(plan().nodes, chosen)} total`,
      );
    },

    /**
     * Selects the edges of the current node one after the other: outgoing ones first, then incoming
     * ones.
     */
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

/** The arrow directions that lead to a child and to a parent. */
export function navigationKeys(reading: Plan["direction"]): Record<"onward" | "back", Direction> {
  return reading === "top_down"
    ? { onward: "down", back: "up" }
    : { onward: "right", back: "left" };
}

/** The keys of the edges, branches and jumps that are drawn at a node, outgoing ones first. */
function edgesAt(plan: Plan, id: NodeId): string[] {
  const lines = [
    ...drawnPlainEdges(plan).map((edge) => ({ ...edge, key: edgeKey(edge) })),
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
  const favored = direction === onward ? childrenOf : direction === back ? parentsOf : undefined;
  return neighbor(start, direction, places, favored?.get(from) ?? []);
}
