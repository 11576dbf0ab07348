import type { Definition } from "../command";

/** What changes the selection, and walks. Acts: `blueprint/commands/select.ts`. */
export const selectCommands = {
  select_all: { words: "Select all", group: "Select", scope: "nodes", keys: ["Mod+A"] },
  select_none: {
    words: "Select nothing",
    group: "Select",
    scope: "nodes",
    keys: ["Escape"],
    also: "clear deselect",
  },
  walk_right: {
    words: "Walk to a child",
    group: "Select",
    scope: "nodes",
    keys: ["ArrowRight"],
    repeats: true,
  },
  walk_left: {
    words: "Walk to a parent",
    group: "Select",
    scope: "nodes",
    keys: ["ArrowLeft"],
    repeats: true,
  },
  walk_up: {
    words: "Walk to the node above",
    group: "Select",
    scope: "nodes",
    keys: ["ArrowUp"],
    repeats: true,
  },
  walk_down: {
    words: "Walk to the node below",
    group: "Select",
    scope: "nodes",
    keys: ["ArrowDown"],
    repeats: true,
  },
  find: {
    words: "Find a node",
    group: "Select",
    scope: "blueprint",
    keys: ["Mod+F"],
    also: "search jump",
  },
} as const satisfies Record<string, Definition>;
