import type { Definition } from "../command";

/** What concerns the open blueprint as a whole. Acts: `blueprint/commands/blueprint.ts`. */
export const blueprintCommands = {
  explain_plan: {
    words: "Explain this blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    also: "agent describe",
  },
} as const satisfies Record<string, Definition>;
