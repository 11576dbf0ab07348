import type { Definition } from "../command";

const plans = { group: "List of blueprints", scope: "plans" } as const;
const sessions = { group: "List of sessions", scope: "sessions" } as const;
const timeline = { group: "Timeline", scope: "timeline" } as const;
const versions = { group: "Comparison of versions", scope: "versions" } as const;
const inbox = { group: "Inbox", scope: "inbox" } as const;

/**
 * What keys do in one list while it has the focus. The lists carry these out by themselves, see `localCommand`; they are
 * in no palette, because they are about the line where the list stands.
 */
export const localCommands = {
  plans_previous: { ...plans, words: "Go to the blueprint above", keys: ["ArrowUp"] },
  plans_next: { ...plans, words: "Go to the blueprint below", keys: ["ArrowDown"] },
  plans_open: { ...plans, words: "Open the blueprint", keys: ["Enter"] },
  plans_star: { ...plans, words: "Star the blueprint", keys: ["S"] },
  plans_delete: { ...plans, words: "Delete the blueprint", keys: ["Delete", "Backspace"] },
  plans_search: { ...plans, words: "Search the blueprints", keys: ["/"] },

  sessions_next: { ...sessions, words: "Go to the next session", keys: ["J", "ArrowDown"] },
  sessions_previous: { ...sessions, words: "Go to the session before", keys: ["K", "ArrowUp"] },
  sessions_open: { ...sessions, words: "Open the session", keys: ["Enter"] },
  sessions_star: { ...sessions, words: "Star the session", keys: ["S"] },
  sessions_tags: { ...sessions, words: "Edit the tags of the session", keys: ["T"] },
  sessions_note: { ...sessions, words: "Write a note on the session", keys: ["N"] },
  sessions_search: { ...sessions, words: "Search the sessions", keys: ["/"] },

  timeline_next: { ...timeline, words: "Go to the next entry", keys: ["J", "ArrowDown"] },
  timeline_previous: { ...timeline, words: "Go to the entry before", keys: ["K", "ArrowUp"] },
  timeline_toggle: { ...timeline, words: "Open or fold the entry", keys: ["Enter"] },
  timeline_next_error: { ...timeline, words: "Go to the next error", keys: ["E"] },
  timeline_previous_error: { ...timeline, words: "Go to the error before", keys: ["Shift+E"] },
  timeline_next_question: { ...timeline, words: "Go to the next question", keys: ["Q"] },
  timeline_previous_question: {
    ...timeline,
    words: "Go to the question before",
    keys: ["Shift+Q"],
  },
  timeline_beginning: { ...timeline, words: "Go to the beginning", keys: ["Home"] },
  timeline_end: { ...timeline, words: "Go to the end", keys: ["End"] },
  timeline_find: { ...timeline, words: "Search the timeline", keys: ["Mod+F", "/"] },

  versions_next: { ...versions, words: "Go to the next change", keys: ["N", "J"] },
  versions_previous: { ...versions, words: "Go to the change before", keys: ["P", "K"] },

  inbox_previous: { ...inbox, words: "Go to the item above", keys: ["ArrowUp"] },
  inbox_next: { ...inbox, words: "Go to the item below", keys: ["ArrowDown"] },
  inbox_show: { ...inbox, words: "Show the item in the graph", keys: ["Enter"] },
  inbox_yes: { ...inbox, words: "Allow, approve or yes", keys: ["A"] },
  inbox_for_node: { ...inbox, words: "Allow for this node", keys: ["N"] },
  inbox_for_plan: { ...inbox, words: "Allow for this blueprint", keys: ["P"] },
  inbox_no: { ...inbox, words: "Deny, refuse or no", keys: ["D"] },
  inbox_reason: { ...inbox, words: "Deny with a reason", keys: ["R"] },
} as const satisfies Record<string, Definition>;
