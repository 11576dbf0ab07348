import type { Definition } from "../command";

/** What changes the plan on the canvas or in the list. Acts: `blueprint/commands/edit.ts`. */
export const editCommands = {
  add: {
    words: "Add a node",
    group: "Edit",
    scope: "blueprint",
    keys: ["N"],
    also: "new insert palette",
  },
  connect: {
    words: "Connect to another node",
    group: "Edit",
    scope: "nodes",
    keys: ["C"],
    also: "edge depends draw",
  },
  rename: { words: "Rename", group: "Edit", scope: "nodes", keys: ["F2"], also: "title" },
  duplicate: {
    words: "Duplicate",
    group: "Edit",
    scope: "blueprint",
    keys: ["Mod+D"],
    also: "clone",
  },
  delete: {
    words: "Delete the selection",
    group: "Edit",
    scope: "nodes",
    keys: ["Delete", "Backspace"],
    also: "remove",
  },
  copy: {
    words: "Copy nodes as text",
    group: "Edit",
    scope: "blueprint",
    keys: ["Mod+C"],
    fixed: true,
  },
  cut: { words: "Cut", group: "Edit", scope: "blueprint", keys: ["Mod+X"], fixed: true },
  paste: { words: "Paste", group: "Edit", scope: "blueprint", keys: ["Mod+V"], fixed: true },
  undo: { words: "Undo", group: "Edit", scope: "blueprint", keys: ["Mod+Z"], repeats: true },
  redo: {
    words: "Redo",
    group: "Edit",
    scope: "blueprint",
    keys: ["Mod+Shift+Z", "Mod+Y"],
    repeats: true,
  },
  tidy: {
    words: "Tidy layout",
    group: "Arrange",
    scope: "blueprint",
    keys: ["Shift+Alt+T"],
    also: "arrange auto layout clean",
  },
} as const satisfies Record<string, Definition>;
