import type { CommandDefinition } from "@/commands/command";

/** Commands for groups and notes. Handlers: `blueprint/commands/group.ts`. */
export const groupCommands = {
  group: {
    label: "Group selection",
    group: "Arrange",
    scope: "blueprint",
    keys: ["Mod+G"],
    keywords: "frame section box",
  },
  ungroup: {
    label: "Ungroup",
    group: "Arrange",
    scope: "blueprint",
    keys: ["Mod+Shift+G"],
    keywords: "dissolve delete group",
  },
  collapse: {
    label: "Collapse groups",
    group: "View",
    scope: "blueprint",
    keys: ["Alt+G"],
    keywords: "fold minimize close",
  },
  expand: {
    label: "Expand groups",
    group: "View",
    scope: "blueprint",
    keys: ["Shift+Alt+G"],
    keywords: "unfold open",
  },
  rename_group: {
    label: "Rename group",
    group: "Edit",
    scope: "blueprint",
    keys: [],
    keywords: "title frame",
  },
  colour: {
    label: "Color the group or note",
    group: "Edit",
    scope: "blueprint",
    keys: [],
    keywords: "color paint frame",
  },
  write_note: {
    label: "Edit note",
    group: "Edit",
    scope: "blueprint",
    keys: [],
    keywords: "markdown text edit",
  },
  note_larger: {
    label: "Make the note larger",
    group: "Edit",
    scope: "blueprint",
    keys: [],
    keywords: "resize",
  },
  note_smaller: {
    label: "Make the note smaller",
    group: "Edit",
    scope: "blueprint",
    keys: [],
    keywords: "resize",
  },
  note: {
    label: "Add a note",
    group: "Edit",
    scope: "blueprint",
    keys: ["Shift+S"],
    keywords: "sticky comment markdown",
  },
} as const satisfies Record<string, CommandDefinition>;
