import { useEffect } from "react";

/**
 * Loads the code of the editor when the pointer or the focus comes to the list of blueprints, ahead of the press that
 * opens one. Nobody who only looks at the list pays for it. What cannot be loaded is told when it is opened.
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
