import { type RefObject, useEffect } from "react";
import { useToasts } from "@/components/toasts";
import { useElementWidth } from "@/components/useElementWidth";

/** Keeps toasts away from a panel at the right edge of the window, unless it fills the window. */
export function useToastInset(panel: RefObject<HTMLElement | null>): void {
  const width = useElementWidth(panel);
  const setInset = useToasts((state) => state.setInset);
  useEffect(() => {
    setInset(width > window.innerWidth / 2 ? 0 : width);
    return () => setInset(0);
  }, [width, setInset]);
}
