import type { CommandDefinition } from "@/commands/command";

const line = { group: "Arrange", scope: "blueprint", keys: [] } as const;

/** Commands that align and distribute nodes. Handlers: `blueprint/commands/arrange.ts`. */
export const arrangeCommands = {
  align_left: { ...line, label: "Align left edges" },
  align_center: { ...line, label: "Align centers", keywords: "center vertical line" },
  align_right: { ...line, label: "Align right edges" },
  align_top: { ...line, label: "Align top edges" },
  align_middle: { ...line, label: "Align middles", keywords: "horizontal line row" },
  align_bottom: { ...line, label: "Align bottom edges" },
  distribute_across: { ...line, label: "Distribute horizontally", keywords: "across spread gaps" },
  distribute_down: { ...line, label: "Distribute vertically", keywords: "down spread gaps" },
} as const satisfies Record<string, CommandDefinition>;
