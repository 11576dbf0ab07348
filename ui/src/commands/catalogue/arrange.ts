import type { Definition } from "../command";

const line = { group: "Arrange", scope: "blueprint", keys: [] } as const;

/** Lines nodes up and spreads them out. Acts: `blueprint/commands/arrange.ts`. */
export const arrangeCommands = {
  align_left: { ...line, words: "Align left edges" },
  align_center: { ...line, words: "Align centers", also: "center vertical line" },
  align_right: { ...line, words: "Align right edges" },
  align_top: { ...line, words: "Align top edges" },
  align_middle: { ...line, words: "Align middles", also: "horizontal line row" },
  align_bottom: { ...line, words: "Align bottom edges" },
  distribute_across: { ...line, words: "Distribute across", also: "horizontally spread gaps" },
  distribute_down: { ...line, words: "Distribute down", also: "vertically spread gaps" },
} as const satisfies Record<string, Definition>;
