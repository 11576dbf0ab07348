import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Gives the focus to the main part whenever another page is shown, so that Tab, the keys of the page and a screen reader
 * begin there, as if the window had been loaded. A page that gives the focus to a field of its own keeps it there.
 */
export function useFocusMainOnNavigation(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const { activeElement, body } = document;
    if (activeElement === body || activeElement?.closest("nav") !== null)
      main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}
