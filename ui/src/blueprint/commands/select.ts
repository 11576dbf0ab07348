import type { selectCommands } from "@/commands/catalogue/select";
import type { ActsFor } from "@/commands/command";
import type { Blueprint } from "../blueprintContext";

/** What changes the selection, and walks. */
export function selectActs({ editor, page, edit }: Blueprint): ActsFor<typeof selectCommands> {
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
    find: { run: () => document.querySelector<HTMLElement>("[data-find]")?.focus() },
  };
}
