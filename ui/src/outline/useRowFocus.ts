import { type RefObject, useRef } from "react";
import { useFocusRecovery } from "@/components/useFocusRecovery";

/** Who has the focus in the list after what had it is gone: the same row, else the one that took its place. */
export function useRowFocus(list: RefObject<HTMLElement | null>, count: number): void {
  const stood = useRef(1);
  useFocusRecovery(
    list,
    (last) => {
      const row = rowOf(last);
      if (row?.isConnected) return row;
      const at = Math.min(stood.current, count);
      return list.current?.querySelector<HTMLElement>(`[data-row][aria-posinset="${at}"]`);
    },
    (element) => {
      stood.current = Number(rowOf(element)?.getAttribute("aria-posinset") ?? stood.current);
    },
  );
}

function rowOf(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>("[data-row]");
}
