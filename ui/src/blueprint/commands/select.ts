import type { selectCommands } from "@/commands/catalog/select";
import type { HandlersFor } from "@/commands/command";
import type { Blueprint } from "@/plan/blueprintContext";
import { conditionalEdgesIn } from "@/plan/conditionalEdges";
import type { Direction } from "@/plan/geometry";
import { navigationKeys } from "@/plan/selectionActions";
import { noCanvas, noneSelected } from "./refusals";

const directionPhrases: Record<Direction, string> = {
  up: "above",
  down: "below",
  left: "on the left",
  right: "on the right",
};

/** Handlers that change the selection and move between nodes. */
export function selectHandlers(blueprint: Blueprint): HandlersFor<typeof selectCommands> {
  const { editor, page, edit } = blueprint;
  const noMatch = () =>
    edit.matches().length === 0 ? "No matches; press Ctrl+F to search" : undefined;
  const noNodes = () =>
    editor.getState().plan.nodes.length === 0 ? "The blueprint has no nodes yet" : undefined;
  const walk = (direction: Direction) => ({
    label: () => {
      const { onward, back } = navigationKeys(editor.getState().plan.direction);
      if (direction === onward) return "Go to a child";
      return direction === back
        ? "Go to a parent"
        : `Go to the node ${directionPhrases[direction]}`;
    },
    refusal: noNodes,
    run: () => edit.walk(direction),
  });
  const stroll = (direction: Direction) => ({
    refusal: () => noCanvas(blueprint) ?? noNodes(),
    run: () => edit.stroll(direction),
  });
  return {
    select_all: { refusal: noNodes, run: () => edit.selectAll() },
    select_none: {
      run: () => {
        const { linking, lasso } = page.getState();
        // Escape works in steps: it first cancels a link or lasso, then clears the selection.
        if (linking === undefined && !lasso) editor.getState().select([]);
        page.setState({ linking: undefined, lasso: false });
      },
    },
    lasso: {
      label: () => (page.getState().lasso ? "Cancel the lasso" : "Select with a lasso"),
      refusal: () => noCanvas(blueprint),
      run: () => page.setState(({ lasso }) => ({ lasso: !lasso })),
    },
    walk_right: walk("right"),
    walk_left: walk("left"),
    walk_up: walk("up"),
    walk_down: walk("down"),
    stroll_right: stroll("right"),
    stroll_left: stroll("left"),
    stroll_up: stroll("up"),
    stroll_down: stroll("down"),
    toggle_selected: {
      refusal: noNodes,
      run: () => edit.toggle(),
    },
    select_edge: {
      refusal: () =>
        editor.getState().plan.edges.length === 0 &&
        conditionalEdgesIn(editor.getState().plan).length === 0
          ? "The blueprint has no edges yet"
          : undefined,
      run: () => edit.nextEdge(),
    },
    select_upstream: {
      refusal: () => noneSelected(blueprint),
      run: () => edit.selectReachable("upstream"),
    },
    select_downstream: {
      refusal: () => noneSelected(blueprint),
      run: () => edit.selectReachable("downstream"),
    },
    find_next: { refusal: noMatch, run: () => edit.goToMatch(1) },
    find_previous: { refusal: noMatch, run: () => edit.goToMatch(-1) },
    find: { run: () => document.querySelector<HTMLElement>("[data-find]")?.focus() },
  };
}
