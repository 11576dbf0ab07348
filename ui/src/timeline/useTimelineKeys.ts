import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent } from "react";
import { isPageRoot } from "@/components/isPageRoot";
import { isFindKey, timelineKey } from "./timelineKeys";
import type { TimelineNavigation } from "./timelineNavigation";
import type { JumpToEntry } from "./useJumpToEntry";

export interface TimelineKeysOptions {
  navigation: TimelineNavigation;
  jump: JumpToEntry;
  toggle: () => void;
  searchField: RefObject<HTMLInputElement | null>;
  /** Ctrl+F searches this timeline from anywhere in the window. */
  ownsFind: boolean;
}

/** Returns the key handler of a timeline. Fields and buttons keep their own keys. */
export function useTimelineKeys(options: TimelineKeysOptions): (event: KeyboardEvent) => void {
  const { navigation, jump, toggle, searchField, ownsFind } = options;

  const ofPage = useEffectEvent((event: globalThis.KeyboardEvent) => {
    // Before anything on the page is focused, keys apply to the timeline.
    if (isFindKey(event) || isPageRoot(event.target)) act(event);
  });
  useEffect(() => {
    if (!ownsFind) return;
    const onKeyDown = (event: globalThis.KeyboardEvent) => ofPage(event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [ownsFind]);

  return act;

  function act(event: KeyboardEvent | globalThis.KeyboardEvent) {
    const key = timelineKey(event);
    if (!key || (key.act !== "find" && isTaken(event))) return;
    event.preventDefault();
    switch (key.act) {
      case "step":
        return navigation.step(key.by);
      case "toggle":
        return toggle();
      case "end":
        return navigation.toEnd(key.end);
      case "jump":
        return jump.jump(key.target, key.step);
      case "find":
        return find(searchField);
    }
  }
}

/** Returns whether the focused element handles the key itself. */
function isTaken(event: Pick<Event, "target"> & { key: string }): boolean {
  const target = event.target as Element;
  if (target.closest("input, textarea, select, [role=radio], [role=combobox]")) return true;
  return event.key === "Enter" && target.closest("button, a") !== null;
}

function find(field: RefObject<HTMLInputElement | null>): void {
  field.current?.focus();
  field.current?.select();
}
