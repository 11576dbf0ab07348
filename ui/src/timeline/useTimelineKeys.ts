import { type KeyboardEvent, type RefObject, useEffect } from "react";
import { isFindKey, timelineKey } from "./timelineKeys";
import type { TimelineNavigation } from "./timelineNavigation";
import type { Jump } from "./useJump";

export interface TimelineKeysOptions {
  navigation: TimelineNavigation;
  jump: Jump;
  toggle: () => void;
  searchField: RefObject<HTMLInputElement | null>;
  /** Control+F anywhere in the window means this timeline. */
  ownsFind: boolean;
}

/** Lets keys move in a timeline; fields and buttons keep the keys that are theirs. */
export function useTimelineKeys(options: TimelineKeysOptions): (event: KeyboardEvent) => void {
  const { navigation, jump, toggle, searchField, ownsFind } = options;

  useEffect(() => {
    if (!ownsFind) return;
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (!isFindKey(event)) return;
      event.preventDefault();
      find(searchField);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [ownsFind, searchField]);

  return (event) => {
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
  };
}

/** Whether the element with the focus uses the key itself. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target as Element;
  if (target.closest("input, textarea, select, [role=radio], [role=combobox]")) return true;
  return event.key === "Enter" && target.closest("button, a") !== null;
}

function find(field: RefObject<HTMLInputElement | null>): void {
  field.current?.focus();
  field.current?.select();
}
