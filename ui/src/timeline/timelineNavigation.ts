import type { Dispatch, RefObject } from "react";
import { isExpandable } from "./entryFilters";
import type { EntrySequence } from "./entrySequence";
import type { FeedState, SessionFeed } from "./SessionFeed";
import type { TimelineListHandle } from "./TimelineList";
import { type TimelineRow, timelineRowAt } from "./timelineRow";
import type { TimelineAction, TimelineView } from "./timelineView";

/** The current state that navigation in a timeline needs. */
export interface NavigationParts {
  feed: SessionFeed;
  state: FeedState;
  view: TimelineView;
  sequence: EntrySequence;
  /** The first visible entry, where moves start when no entry is selected. */
  firstSeen: number;
  dispatch: Dispatch<TimelineAction>;
  list: RefObject<TimelineListHandle | null>;
}

/** Moves the selection in a timeline. Every move except to the end stops following. */
export function timelineNavigation(parts: NavigationParts) {
  const { feed, state, view, sequence, firstSeen, dispatch, list } = parts;
  const rowAt = (seq: number): TimelineRow =>
    timelineRowAt(
      seq,
      (at) => feed.entry(at),
      (first) => view.groups.has(first),
    );

  function move(seq: number, focus: boolean, roomy: boolean): void {
    dispatch({ act: "follow", following: false });
    dispatch({ act: "select", seq });
    list.current?.go(seq, focus, roomy);
  }

  return {
    /** Moves to a search result, with space around it. */
    find: (seq: number, focus = true): void => move(seq, focus, true),

    toEnd(end: "top" | "bottom"): void {
      if (sequence.length === 0) return;
      move(sequence.at(end === "top" ? 0 : sequence.length - 1), true, false);
      if (end === "bottom" && !state.ended) dispatch({ act: "follow", following: true });
    },

    /** Moves by one entry and skips those hidden in a closed group. */
    step(by: 1 | -1): void {
      const last = sequence.length - 1;
      if (last < 0) return;
      let place = sequence.placeOf(view.current ?? firstSeen) + by;
      while (place > 0 && place < last && rowAt(sequence.at(place)).kind === "hidden") place += by;
      move(sequence.at(Math.min(last, Math.max(0, place))), true, false);
    },

    /** Expands or collapses the selected entry or group. */
    toggle(isOpen: (seq: number) => boolean): void {
      const seq = view.current;
      if (seq === undefined) return;
      const row = rowAt(seq);
      if (row.kind === "group") dispatch({ act: "group", first: seq, open: !row.open });
      else if (row.kind === "entry" && isExpandable(row.entry))
        dispatch({ act: "open", seq, open: !isOpen(seq) });
    },
  };
}

export type TimelineNavigation = ReturnType<typeof timelineNavigation>;
