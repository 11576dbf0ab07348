import { useEffect } from "react";

/**
 * Preloads the editor's code when the pointer or the focus enters the list of blueprints. A load
 * error is reported when the editor is opened.
 */
export function usePreloadEditor(): void {
  useEffect(() => {
    const load = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.closest('[role="grid"]')) return;
      removeListeners();
      import("@/blueprint/BlueprintPage").catch(() => undefined);
    };
    const removeListeners = () => {
      document.removeEventListener("pointerover", load);
      document.removeEventListener("focusin", load);
    };
    document.addEventListener("pointerover", load);
    document.addEventListener("focusin", load);
    return removeListeners;
  }, []);
}
