/** Keys that belong to one list or page while it has the focus. They are not bound anew: lists are alike everywhere. */
export interface LocalKeys {
  title: string;
  keys: readonly { keys: readonly string[]; words: string }[];
}

export const localKeys: readonly LocalKeys[] = [
  {
    title: "In the list of blueprints",
    keys: [
      { keys: ["ArrowUp", "ArrowDown"], words: "Go to the one above or below" },
      { keys: ["Enter"], words: "Open" },
      { keys: ["S"], words: "Star" },
      { keys: ["Delete"], words: "Delete" },
      { keys: ["/"], words: "Search" },
    ],
  },
  {
    title: "In the list of sessions",
    keys: [
      { keys: ["J", "K"], words: "Go to the next or the one before" },
      { keys: ["Enter"], words: "Open" },
      { keys: ["S"], words: "Star" },
      { keys: ["T"], words: "Edit tags" },
      { keys: ["N"], words: "Write a note" },
      { keys: ["/"], words: "Search" },
    ],
  },
  {
    title: "In a timeline",
    keys: [
      { keys: ["J", "K"], words: "Go to the next entry or the one before" },
      { keys: ["Enter"], words: "Open or fold an entry" },
      { keys: ["E", "Shift+E"], words: "Go to the next error or the one before" },
      { keys: ["Q", "Shift+Q"], words: "Go to the next question or the one before" },
      { keys: ["Home", "End"], words: "Go to the beginning or the end" },
      { keys: ["Mod+F", "/"], words: "Search" },
    ],
  },
  {
    title: "In the Inbox",
    keys: [
      { keys: ["ArrowUp", "ArrowDown"], words: "Go to the item above or below" },
      { keys: ["Enter"], words: "Show in the graph" },
      { keys: ["A"], words: "Allow, approve or yes" },
      { keys: ["N", "P"], words: "Allow for the node, for the plan" },
      { keys: ["D"], words: "Deny, refuse or no" },
      { keys: ["R"], words: "Deny with a reason" },
    ],
  },
];
