import type { selectCommands } from "@/commands/catalogue/select";
import type { ActsFor } from "@/commands/command";
import type { Blueprint } from "../blueprintContext";
import { noneSelected } from "./refusals";

/** What changes the selection, and walks. */
export function selectActs(blueprint: Blueprint): ActsFor<typeof selectCommands> {
  const { editor, page, edit } = blueprint;
  const noMatch = () =>
    edit.matches().length === 0 ? "Nothing is found; press Ctrl+F and write" : undefined;
  const noNodes = () =>
    editor.getState().plan.nodes.length === 0 ? "The plan has no nodes yet" : undefined;
  const walk = (direction: "right" | "left" | "up" | "down") => ({
    refusal: noNodes,
    run: () => edit.walk(direction),
  });
  return {
    select_all: { refusal: noNodes, run: () => edit.selectAll() },
    select_none: {
      run: () => {
        if (page.getState().linking === undefined) editor.getState().select([]);
        page.setState({ linking: undefined });
      },
    },
    walk_right: walk("right"),
    walk_left: walk("left"),
    walk_up: walk("up"),
    walk_down: walk("down"),
    select_upstream: {
      refusal: () => noneSelected(blueprint),
      run: () => edit.selectKin("upstream"),
    },
    select_downstream: {
      refusal: () => noneSelected(blueprint),
      run: () => edit.selectKin("downstream"),
    },
    find_next: { refusal: noMatch, run: () => edit.goToMatch(1) },
    find_previous: { refusal: noMatch, run: () => edit.goToMatch(-1) },
    find: { run: () => document.querySelector<HTMLElement>("[data-find]")?.focus() },
  };
}
