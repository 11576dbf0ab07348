import { type RefObject, useRef } from "react";
import { useFocusRecovery } from "@/components/useFocusRecovery";

/**
 * Restores the focus when the focused element disappears: to the same row, or else to the row that
 * took its place.
 */
export function useRowFocus(list: RefObject<HTMLElement | null>, count: number): void {
  const lastIndex = useRef(1);
  useFocusRecovery(
    list,
    (last) => {
      const row = rowOf(last);
      if (row?.isConnected) return row;
      const at = Math.min(lastIndex.current, count);
      return list.current?.querySelector<HTMLElement>(`[data-row][aria-posinset="${at}"]`);
    },
    (element) => {
      lastIndex.current = Number(
        rowOf(element)?.getAttribute("aria-posinset") ?? lastIndex.current,
      );
    },
  );
}

function rowOf(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>("[data-row]");
}
