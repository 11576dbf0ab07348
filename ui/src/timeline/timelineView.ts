import type { EntryFilter } from "./entryFacts";

/** What the person has done to the look of a timeline. */
export interface TimelineView {
  /** The entry that keys act on. */
  current: number | undefined;
  /** Entries that were opened or closed by hand. */
  opened: ReadonlyMap<number, boolean>;
  /** Groups that were opened, by their first entry. */
  groups: ReadonlySet<number>;
  filter: EntryFilter;
  /** The end is kept in sight while entries come. */
  following: boolean;
}

export type TimelineAct =
  | { act: "select"; seq: number }
  | { act: "open"; seq: number; open: boolean }
  | { act: "group"; first: number; open: boolean }
  | { act: "filter"; filter: EntryFilter }
  | { act: "follow"; following: boolean };

export function freshView(following: boolean): TimelineView {
  return { current: undefined, opened: new Map(), groups: new Set(), filter: "all", following };
}

/** The view after one act. */
export function actOn(view: TimelineView, action: TimelineAct): TimelineView {
  switch (action.act) {
    case "select":
      return { ...view, current: action.seq };
    case "open":
      return { ...view, opened: new Map(view.opened).set(action.seq, action.open) };
    case "group": {
      const groups = new Set(view.groups);
      if (action.open) groups.add(action.first);
      else groups.delete(action.first);
      return { ...view, groups };
    }
    case "filter":
      return { ...view, filter: action.filter };
    case "follow":
      return view.following === action.following ? view : { ...view, following: action.following };
  }
}
