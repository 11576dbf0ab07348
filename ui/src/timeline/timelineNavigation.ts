import type { Dispatch, RefObject } from "react";
import { isExpandable } from "./entryFilters";
import type { EntrySequence } from "./entrySequence";
import type { FeedState, SessionFeed } from "./SessionFeed";
import type { TimelineListHandle } from "./TimelineList";
import { type TimelineRow, timelineRowAt } from "./timelineRow";
import type { TimelineAction, TimelineView } from "./timelineView";

/** What is needed to move in a timeline, as it is at the moment of the move. */
export interface NavigationParts {
  feed: SessionFeed;
  state: FeedState;
  view: TimelineView;
  sequence: EntrySequence;
  /** The first entry in sight: where a move begins when no entry is chosen. */
  firstSeen: number;
  dispatch: Dispatch<TimelineAction>;
  list: RefObject<TimelineListHandle | null>;
}

/** The ways through a timeline. Every one but "to the end" lets go of following. */
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
    /** To an entry that was looked for, with room around it. */
    find: (seq: number, focus = true): void => move(seq, focus, true),

    toEnd(end: "top" | "bottom"): void {
      if (sequence.length === 0) return;
      move(sequence.at(end === "top" ? 0 : sequence.length - 1), true, false);
      if (end === "bottom" && !state.ended) dispatch({ act: "follow", following: true });
    },

    /** To the next entry in sight; entries hidden in a closed group are passed over. */
    step(by: 1 | -1): void {
      const last = sequence.length - 1;
      if (last < 0) return;
      let place = sequence.placeOf(view.current ?? firstSeen) + by;
      while (place > 0 && place < last && rowAt(sequence.at(place)).kind === "hidden") place += by;
      move(sequence.at(Math.min(last, Math.max(0, place))), true, false);
    },

    /** Opens or closes the chosen entry or group. */
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
