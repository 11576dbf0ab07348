import type { Definition } from "../command";

/** What is asked about the selected nodes in a run, or of an agent about them. Acts: `blueprint/commands/node.ts`. */
export const nodeCommands = {
  answer: {
    words: "Answer the question of a node",
    group: "Node",
    scope: "nodes",
    keys: ["A"],
    also: "permission allow deny approve input",
  },
  pin: {
    words: "Pin what it receives",
    group: "Node",
    scope: "blueprint",
    keys: ["P"],
    also: "freeze handoff edge unpin data settle",
  },
  retry: {
    words: "Retry",
    group: "Node",
    scope: "blueprint",
    keys: ["Shift+R"],
    also: "again node",
  },
  resume_session: {
    words: "Resume session",
    group: "Node",
    scope: "blueprint",
    keys: [],
    also: "interrupted go on node",
  },
  stop_node: {
    words: "Stop node",
    group: "Node",
    scope: "blueprint",
    keys: [],
    also: "cancel end session interrupt",
  },
  skip: {
    words: "Skip",
    group: "Node",
    scope: "blueprint",
    keys: ["Shift+K"],
    also: "without node",
  },
  mark_done: { words: "Mark done", group: "Node", scope: "blueprint", keys: [], also: "node" },
  rerun: {
    words: "Rerun from here",
    group: "Node",
    scope: "blueprint",
    keys: ["Shift+E"],
    also: "again below node",
  },
  rerun_alone: {
    words: "Run only this again",
    group: "Node",
    scope: "blueprint",
    keys: [],
    also: "node alone",
  },
  open_timeline: {
    words: "Open the timeline",
    group: "Node",
    scope: "blueprint",
    keys: [],
    also: "session log output node",
  },
  split_node: {
    words: "Split with an agent",
    group: "Node",
    scope: "blueprint",
    keys: [],
    also: "divide several planner node",
  },
  explain_node: {
    words: "Explain the node",
    group: "Node",
    scope: "blueprint",
    keys: [],
    also: "agent describe",
  },
} as const satisfies Record<string, Definition>;
