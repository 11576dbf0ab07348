import { useRef } from "react";

/**
 * Returns the focus to the element that had it before an overlay opened; for `onCloseAutoFocus`,
 * because Radix only knows its own triggers. Keeps a focus that an action has set meanwhile.
 */
export function useRestoreFocus(open: boolean): (event: Event) => void {
  const before = useRef<Element | null>(null);
  const was = useRef(false);
  // During the first render nothing in the overlay has the focus yet, not even a field with
  // autofocus.
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
