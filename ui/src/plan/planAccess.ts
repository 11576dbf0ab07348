import type { Node, NodeId, Plan, Position } from "@/api/bindings";
import type { Editor } from "./editor";
import { place } from "./edits";
import { cardSize, positionAfter } from "./geometry";
import type { InsertionRoom } from "./insertionRoom";
import { nodesById } from "./nodesById";
import { displayTitle } from "./nodeText";
import type { Page } from "./page";

/**
 * Read access to the plan for actions, with the selection and with the positions shown on the
 * canvas.
 */
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

    /** The plan, with positions from the canvas for nodes that have none. */
    placed: (of = plan()): Plan => withPlaces(of, placeOf),

    /**
     * Moves nodes to make room. Nodes without a position keep the one from the canvas, which would
     * otherwise be computed again around the moved nodes.
     */
    makeRoom: (of: Plan, { moved }: Pick<InsertionRoom, "moved">): Plan =>
      moved.size === 0 ? of : place(withPlaces(of, placeOf), moved),

    /** Next to the selected node, or in the center of the visible area. */
    nearby(): Position {
      const selected = [...selection()].at(-1);
      const place = selected && placeOf(selected);
      if (place) return positionAfter(place, plan().direction);
      const middle = page.getState().canvas?.middle() ?? { x: 0, y: plan().nodes.length * 88 };
      return { x: middle.x - cardSize.width / 2, y: middle.y - cardSize.height / 2 };
    },

    /** A place of the plan in window pixels; a default in the window if there is no canvas. */
    onScreen(place: Position): Position {
      const middle = { x: window.innerWidth / 2, y: window.innerHeight / 3 };
      return page.getState().canvas?.toScreen(place) ?? middle;
    },

    /** Announces an action to screen readers, also if the same action is repeated. */
    say(words: string) {
      // A live region is only read out when its text changes.
      const again = page.getState().announcement === words;
      page.setState({ announcement: again ? `${words}\u00a0` : words });
    },
  };
}

/** The only item of a set; undefined if it has none or several. */
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
