import type { Definition } from "../command";

/** What can be done on every page. Acts: `app/commands`. */
export const appCommands = {
  keys: {
    words: "List the keys",
    group: "Go to",
    scope: "everywhere",
    keys: ["?"],
    also: "shortcuts help keyboard",
  },
  go_blueprints: {
    words: "Go to Blueprints",
    group: "Go to",
    scope: "everywhere",
    keys: [],
    also: "home plans list",
  },
  go_sessions: {
    words: "Go to Sessions",
    group: "Go to",
    scope: "everywhere",
    keys: [],
    also: "transcripts history",
  },
  go_inbox: {
    words: "Go to Inbox",
    group: "Go to",
    scope: "everywhere",
    keys: [],
    also: "questions approvals waiting",
  },
  go_statistics: {
    words: "Go to Statistics",
    group: "Go to",
    scope: "everywhere",
    keys: [],
    also: "cost tokens numbers",
  },
  go_doctor: {
    words: "Go to Doctor",
    group: "Go to",
    scope: "everywhere",
    keys: [],
    also: "check agents problems",
  },
  go_settings: {
    words: "Go to Settings",
    group: "Go to",
    scope: "everywhere",
    keys: ["Mod+,"],
    also: "preferences options",
  },
} as const satisfies Record<string, Definition>;
