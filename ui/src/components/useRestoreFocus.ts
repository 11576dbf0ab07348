import { useRef } from "react";

/**
 * Gives the focus back to what had it before something opened over the page; for `onCloseAutoFocus`, because Radix knows
 * only triggers of its own. Leaves it where an act has put it meanwhile.
 */
export function useRestoreFocus(open: boolean): (event: Event) => void {
  const before = useRef<Element | null>(null);
  const was = useRef(false);
  // While it is drawn for the first time nothing in it has the focus yet, not even a field that asks for it.
  if (open && !was.current) before.current = document.activeElement;
  was.current = open;

  return (event) => {
    const { activeElement, body } = document;
    const isFree = activeElement === body || activeElement?.closest("[role*=dialog]") !== null;
    if (!(isFree && before.current instanceof HTMLElement && before.current.isConnected)) return;
    event.preventDefault();
    before.current.focus();
  };
}
