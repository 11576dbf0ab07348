import type { CommandDefinition } from "@/commands/command";

/** Commands for the selected nodes in a run. Handlers: `blueprint/commands/node.ts`. */
export const nodeCommands = {
  answer: {
    label: "Answer node question",
    group: "Node",
    scope: "nodes",
    keys: ["A"],
    keywords: "permission allow deny approve input",
  },
  pin: {
    label: "Pin incoming handoffs",
    group: "Node",
    scope: "blueprint",
    keys: ["P"],
    keywords: "freeze handoff edge unpin data settle",
  },
  retry: {
    label: "Retry",
    group: "Node",
    scope: "blueprint",
    keys: ["Shift+R"],
    keywords: "again node",
  },
  resume_session: {
    label: "Resume session",
    group: "Node",
    scope: "blueprint",
    keys: [],
    keywords: "interrupted go on node",
  },
  stop_node: {
    label: "Stop node",
    group: "Node",
    scope: "blueprint",
    keys: [],
    keywords: "cancel end session interrupt",
  },
  skip: {
    label: "Skip",
    group: "Node",
    scope: "blueprint",
    keys: ["Shift+K"],
    keywords: "without node",
  },
  mark_done: { label: "Mark done", group: "Node", scope: "blueprint", keys: [], keywords: "node" },
  rerun: {
    label: "Rerun from here",
    group: "Node",
    scope: "blueprint",
    keys: ["Shift+E"],
    keywords: "again below node",
  },
  rerun_alone: {
    label: "Rerun this node only",
    group: "Node",
    scope: "blueprint",
    keys: [],
    keywords: "node alone",
  },
  open_timeline: {
    label: "Open timeline",
    group: "Node",
    scope: "blueprint",
    keys: [],
    keywords: "session log output node",
  },
  split_node: {
    label: "Split with an agent",
    group: "Node",
    scope: "blueprint",
    keys: [],
    keywords: "divide several planner node",
  },
  explain_node: {
    label: "Explain node",
    group: "Node",
    scope: "blueprint",
    keys: [],
    keywords: "agent describe",
  },
} as const satisfies Record<string, CommandDefinition>;
