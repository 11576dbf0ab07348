import type { Definition } from "../command";

/** What is asked of a run. Acts: `blueprint/commands/run.ts`. */
export const runCommands = {
  run: { words: "Run all", group: "Run", scope: "blueprint", keys: ["Mod+Enter"], also: "start" },
  run_next: { words: "Run next node", group: "Run", scope: "blueprint", keys: [], also: "start" },
  run_selected: {
    words: "Run the selected nodes and what they need",
    group: "Run",
    scope: "blueprint",
    keys: ["Mod+Shift+Enter"],
    also: "start from here",
  },
  approve: {
    words: "Approve plan",
    group: "Run",
    scope: "blueprint",
    keys: [],
    also: "review allow",
  },
  pause: { words: "Pause the run", group: "Run", scope: "blueprint", keys: [], also: "halt wait" },
  resume: {
    words: "Resume the run",
    group: "Run",
    scope: "blueprint",
    keys: [],
    also: "go on continue take over",
  },
  stop: {
    words: "Stop the run",
    group: "Run",
    scope: "blueprint",
    keys: ["Mod+."],
    also: "cancel end",
  },
} as const satisfies Record<string, Definition>;
