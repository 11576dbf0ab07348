import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Moves the focus to the main element after navigation, so that Tab, the page's shortcuts and a
 * screen reader start there, as after a page load. A page that focuses one of its fields keeps that
 * focus.
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
