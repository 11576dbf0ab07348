import type { CommandDefinition } from "@/commands/command";

const plans = { group: "Blueprint list", scope: "plans" } as const;
const runs = { group: "Run list", scope: "runs" } as const;
const sessions = { group: "Session list", scope: "sessions" } as const;
const timeline = { group: "Timeline", scope: "timeline" } as const;
const changes = { group: "Changes", scope: "changes" } as const;
const versions = { group: "Version comparison", scope: "versions" } as const;
const question = { group: "Question", scope: "question" } as const;
const inbox = { group: "Inbox", scope: "inbox" } as const;

/**
 * Commands of a list that has the focus. The lists handle them themselves, see `localCommandFor`.
 * They aren't in the palette, because they act on the list's current row.
 */
export const localCommands = {
  plans_previous: { ...plans, label: "Go to the blueprint above", keys: ["ArrowUp"] },
  plans_next: { ...plans, label: "Go to the blueprint below", keys: ["ArrowDown"] },
  plans_open: { ...plans, label: "Open blueprint", keys: ["Enter"] },
  plans_star: { ...plans, label: "Star selected blueprint", keys: ["S"] },
  plans_delete: { ...plans, label: "Delete selected blueprint", keys: ["Delete", "Backspace"] },
  plans_search: { ...plans, label: "Search blueprints", keys: ["/"] },

  runs_previous: { ...runs, label: "Go to the run above", keys: ["K", "ArrowUp"] },
  runs_next: { ...runs, label: "Go to the run below", keys: ["J", "ArrowDown"] },
  runs_open: { ...runs, label: "Open run", keys: ["Enter"] },
  runs_select: { ...runs, label: "Select or deselect run", keys: ["Space", "X"] },
  runs_select_to: { ...runs, label: "Select runs up to this one", keys: ["Shift+Space"] },
  runs_select_all: { ...runs, label: "Select all listed runs", keys: ["Mod+A"] },
  runs_deselect: { ...runs, label: "Clear selection of runs", keys: ["Escape"] },
  runs_note: { ...runs, label: "Edit run note", keys: ["N"] },
  runs_delete: { ...runs, label: "Delete selected runs", keys: ["Delete", "Backspace"] },
  runs_search: { ...runs, label: "Search runs", keys: ["/"] },

  sessions_next: { ...sessions, label: "Go to the next session", keys: ["J", "ArrowDown"] },
  sessions_previous: { ...sessions, label: "Go to the previous session", keys: ["K", "ArrowUp"] },
  sessions_open: { ...sessions, label: "Open session", keys: ["Enter"] },
  sessions_star: { ...sessions, label: "Star session", keys: ["S"] },
  sessions_tags: { ...sessions, label: "Edit session tags", keys: ["T"] },
  sessions_note: { ...sessions, label: "Edit session note", keys: ["N"] },
  sessions_search: { ...sessions, label: "Search sessions", keys: ["/"] },

  timeline_next: { ...timeline, label: "Go to the next entry", keys: ["J", "ArrowDown"] },
  timeline_previous: { ...timeline, label: "Go to the previous entry", keys: ["K", "ArrowUp"] },
  timeline_toggle: { ...timeline, label: "Expand or collapse the entry", keys: ["Enter"] },
  timeline_next_error: { ...timeline, label: "Go to the next error", keys: ["E"] },
  timeline_previous_error: { ...timeline, label: "Go to the previous error", keys: ["Shift+E"] },
  timeline_next_question: { ...timeline, label: "Go to the next question", keys: ["Q"] },
  timeline_previous_question: {
    ...timeline,
    label: "Go to the previous question",
    keys: ["Shift+Q"],
  },
  timeline_beginning: { ...timeline, label: "Go to the beginning", keys: ["Home"] },
  timeline_end: { ...timeline, label: "Go to the end", keys: ["End"] },
  timeline_find: { ...timeline, label: "Search timeline", keys: ["Mod+F", "/"] },

  changes_next: { ...changes, label: "Go to the next line", keys: ["J", "ArrowDown"] },
  changes_previous: { ...changes, label: "Go to the previous line", keys: ["K", "ArrowUp"] },
  changes_first: { ...changes, label: "Go to the first line", keys: ["Home"] },
  changes_last: { ...changes, label: "Go to the last line", keys: ["End"] },
  changes_select_next: {
    ...changes,
    label: "Select down to the next line",
    keys: ["Shift+J", "Shift+ArrowDown"],
  },
  changes_select_previous: {
    ...changes,
    label: "Select up to the previous line",
    keys: ["Shift+K", "Shift+ArrowUp"],
  },
  changes_comment: { ...changes, label: "Comment on the selected lines", keys: ["C"] },
  changes_deselect: { ...changes, label: "Clear the selection", keys: ["Escape"] },

  versions_next: { ...versions, label: "Go to the next change", keys: ["N", "J"] },
  versions_previous: { ...versions, label: "Go to the previous change", keys: ["P", "K"] },

  inbox_previous: { ...inbox, label: "Go to the item above", keys: ["ArrowUp"] },
  inbox_next: { ...inbox, label: "Go to the item below", keys: ["ArrowDown"] },
  inbox_show: { ...inbox, label: "Show the item in the graph", keys: ["Enter"] },
  inbox_yes: { ...inbox, label: "Choose Allow or Approve, or answer yes", keys: ["A"] },
  inbox_for_node: { ...inbox, label: "Choose Allow for this node", keys: ["N"] },
  inbox_for_plan: { ...inbox, label: "Choose Allow for this blueprint", keys: ["P"] },
  inbox_no: { ...inbox, label: "Deny, reject or answer no", keys: ["D"] },
  inbox_reason: { ...inbox, label: "Deny with a reason", keys: ["R"] },

  question_answer: {
    ...question,
    label: "Choose the answer with this number",
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    keywords: "option reply digit",
    handledBySystem: true,
  },
} as const satisfies Record<string, CommandDefinition>;
