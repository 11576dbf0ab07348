import type { NodeId, Plan, Position } from "@/api/bindings";
import { type Direction, neighbour } from "@/graph/geometry";
import { adjacencyOf } from "@/graph/reachability";
import type { Editor } from "./editor";
import { countWords } from "./edits";
import { createGroupActs } from "./groupActs";
import { withKin } from "./kin";
import type { Page } from "./page";
import { planOnPage } from "./planOnPage";
import { matchesOf, nextMatch } from "./search";

/** What changes which nodes are selected, and nothing of the plan. */
export function createSelectionActs(editor: Editor, page: Page) {
  const { plan, selection, placeOf, say } = planOnPage(editor, page);
  const { uncover } = createGroupActs(editor, page);

  return {
    selectKin(towards: "upstream" | "downstream") {
      const found = withKin(plan(), selection(), towards);
      const more = found.size - selection().size;
      editor.getState().select(found);
      say(`${countWords(more, "node")} ${towards} selected too`);
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

    /** Selects the neighbour of the selected node; a child or a parent before what merely lies there. */
    walk(direction: Direction) {
      const from = [...selection()].at(-1);
      const nodes = plan().nodes;
      const first = nodes[0]?.id;
      const to = from ? stepFrom(plan(), from, direction, placeOf) : first;
      if (!to) return;
      editor.getState().select([to]);
      page.getState().canvas?.reveal(to);
    },
  };
}

/** Which way one walks to a child, and which way back to a parent. */
export function walkOf(reading: Plan["direction"]): Record<"onward" | "back", Direction> {
  return reading === "top_down"
    ? { onward: "down", back: "up" }
    : { onward: "right", back: "left" };
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
  const { onward, back } = walkOf(plan.direction);
  const kin = direction === onward ? childrenOf : direction === back ? parentsOf : undefined;
  return neighbour(start, direction, places, kin?.get(from) ?? []);
}
