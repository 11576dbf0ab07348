import { type RefObject, useEffect } from "react";
import { isPageRoot } from "@/components/isPageRoot";
import { chooseByNumber } from "@/pending/answerKeys";

/**
 * While nothing has the focus, number keys answer the selected item. Only where the list marks it,
 * beside its preview: nobody answers a question that isn't marked.
 */
export function useSelectedItemKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || !isPageRoot(event.target)) return;
      const selected = list.current?.querySelector<HTMLElement>(
        ":scope[data-beside] article[data-current=true]",
      );
      if (selected && chooseByNumber(event, selected)) event.preventDefault();
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [list]);
}
