import type { Node, NodeId, Plan, Position } from "@/api/bindings";
import type { Editor } from "./editor";
import { place } from "./edits";
import { cardSize, positionAfter } from "./geometry";
import { nodesById } from "./nodesById";
import { displayTitle } from "./nodeText";
import type { Page } from "./page";

/** The plan as the acts on it find it: with what is selected, and with the places that the canvas shows. Changes nothing of it. */
export function createPlanAccess(editor: Editor, page: Page) {
  const plan = () => editor.getState().plan;
  const selection = () => editor.getState().selection;
  const nodeOf = (id: NodeId): Node | undefined => nodesById(plan()).get(id);
  const titleOf = (id: NodeId) => displayTitle(nodeOf(id)?.title ?? "");
  const placeOf = (id: NodeId): Position | undefined =>
    nodeOf(id)?.position ?? page.getState().canvas?.placeOf(id);

  return {
    plan,
    selection,
    nodeOf,
    titleOf,
    placeOf,

    /** The plan with the places that the canvas shows, where the plan has none of its own. */
    placed: (of = plan()): Plan => withPlaces(of, placeOf),

    /** Beside the selected node, or in the middle of what is in sight. */
    nearby(): Position {
      const selected = [...selection()].at(-1);
      const place = selected && placeOf(selected);
      if (place) return positionAfter(place, plan().direction);
      const middle = page.getState().canvas?.middle() ?? { x: 0, y: plan().nodes.length * 88 };
      return { x: middle.x - cardSize.width / 2, y: middle.y - cardSize.height / 2 };
    },

    /** A place of the plan in pixels of the window; the middle of the window where there is no canvas. */
    onScreen(place: Position): Position {
      const middle = { x: window.innerWidth / 2, y: window.innerHeight / 3 };
      return page.getState().canvas?.toScreen(place) ?? middle;
    },

    /** Tells screen readers what was done; twice, where it was done twice. */
    say(words: string) {
      // A region whose text stays the same says nothing.
      const again = page.getState().announcement === words;
      page.setState({ announcement: again ? `${words}\u00a0` : words });
    },
  };
}

/** The only one of a set. */
export function singleOf<Id extends string>(ids: ReadonlySet<Id>): Id | undefined {
  return ids.size === 1 ? [...ids][0] : undefined;
}

function withPlaces(plan: Plan, placeOf: (id: NodeId) => Position | undefined): Plan {
  const places = new Map<NodeId, Position>();
  for (const node of plan.nodes) {
    const place = node.position ? undefined : placeOf(node.id);
    if (place) places.set(node.id, place);
  }
  return places.size === 0 ? plan : place(plan, places);
}
