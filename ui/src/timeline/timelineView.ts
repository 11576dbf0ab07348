import type { EntryFilter } from "./entryFilters";

/** The selection, expanded entries and filter of a timeline. */
export interface TimelineView {
  /** The entry that keys act on. */
  current: number | undefined;
  /** Entries that the user expanded or collapsed. */
  opened: ReadonlyMap<number, boolean>;
  /** Long texts that are shown in full. */
  unfolded: ReadonlySet<string>;
  /** Open groups, by their first entry. */
  groups: ReadonlySet<number>;
  filter: EntryFilter;
  /** Keeps the end in view as entries arrive. */
  following: boolean;
}

export type TimelineAction =
  | { act: "select"; seq: number }
  | { act: "open"; seq: number; open: boolean }
  | { act: "unfold"; text: string; whole: boolean }
  | { act: "group"; first: number; open: boolean }
  | { act: "filter"; filter: EntryFilter }
  | { act: "follow"; following: boolean };

export function initialTimelineView(following: boolean): TimelineView {
  return {
    current: undefined,
    opened: new Map(),
    unfolded: new Set(),
    groups: new Set(),
    filter: "all",
    following,
  };
}

/** Returns the view after an action. */
export function timelineViewReducer(view: TimelineView, action: TimelineAction): TimelineView {
  switch (action.act) {
    case "select":
      return { ...view, current: action.seq };
    case "open":
      return { ...view, opened: new Map(view.opened).set(action.seq, action.open) };
    case "unfold":
      return { ...view, unfolded: withItem(view.unfolded, action.text, action.whole) };
    case "group":
      return { ...view, groups: withItem(view.groups, action.first, action.open) };
    case "filter":
      return { ...view, filter: action.filter };
    case "follow":
      return view.following === action.following ? view : { ...view, following: action.following };
  }
}

function withItem<Item>(set: ReadonlySet<Item>, item: Item, wanted: boolean): ReadonlySet<Item> {
  const changed = new Set(set);
  if (wanted) changed.add(item);
  else changed.delete(item);
  return changed;
}
