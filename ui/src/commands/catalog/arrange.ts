import type { CommandDefinition } from "@/commands/command";

const line = { group: "Arrange", scope: "blueprint", keys: [] } as const;

/** Lines nodes up and spreads them out. Acts: `blueprint/commands/arrange.ts`. */
export const arrangeCommands = {
  align_left: { ...line, label: "Align left edges" },
  align_center: { ...line, label: "Align centers", keywords: "center vertical line" },
  align_right: { ...line, label: "Align right edges" },
  align_top: { ...line, label: "Align top edges" },
  align_middle: { ...line, label: "Align middles", keywords: "horizontal line row" },
  align_bottom: { ...line, label: "Align bottom edges" },
  distribute_across: { ...line, label: "Distribute across", keywords: "horizontally spread gaps" },
  distribute_down: { ...line, label: "Distribute down", keywords: "vertically spread gaps" },
} as const satisfies Record<string, CommandDefinition>;
