import type { Definition } from "../command";

/** Groups and notes on the canvas. Acts: `blueprint/commands/group.ts`. */
export const groupCommands = {
  group: {
    words: "Group the selection",
    group: "Arrange",
    scope: "blueprint",
    keys: ["Mod+G"],
    also: "frame section box",
  },
  ungroup: {
    words: "Ungroup, keeping the nodes",
    group: "Arrange",
    scope: "blueprint",
    keys: ["Mod+Shift+G"],
    also: "dissolve delete group",
  },
  collapse: {
    words: "Collapse groups",
    group: "View",
    scope: "blueprint",
    keys: ["Alt+G"],
    also: "fold minimize close",
  },
  expand: {
    words: "Expand groups",
    group: "View",
    scope: "blueprint",
    keys: ["Shift+Alt+G"],
    also: "unfold open",
  },
  rename_group: {
    words: "Rename the group",
    group: "Edit",
    scope: "blueprint",
    keys: [],
    also: "title frame",
  },
  colour: {
    words: "Color of the group or note…",
    group: "Edit",
    scope: "blueprint",
    keys: [],
    also: "color paint frame",
  },
  write_note: {
    words: "Write the note",
    group: "Edit",
    scope: "blueprint",
    keys: [],
    also: "markdown text edit",
  },
  note_larger: {
    words: "Make the note larger",
    group: "Edit",
    scope: "blueprint",
    keys: [],
    also: "resize",
  },
  note_smaller: {
    words: "Make the note smaller",
    group: "Edit",
    scope: "blueprint",
    keys: [],
    also: "resize",
  },
  note: {
    words: "Add a note",
    group: "Edit",
    scope: "blueprint",
    keys: ["Shift+S"],
    also: "sticky comment markdown",
  },
} as const satisfies Record<string, Definition>;
