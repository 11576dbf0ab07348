import { type RefObject, useEffect, useEffectEvent } from "react";

/** Overlays that restore the focus themselves when they close. */
const transientLayers =
  "[role=dialog], [role=alertdialog], [role=menu], [data-radix-popper-content-wrapper]";

/**
 * Recovers the focus in a part of the page when the focused element is removed, such as a deleted
 * row or an inline editor. `findSuccessor` gets the element that had the focus and returns the next
 * one. Does nothing while another element has the focus, or after a press elsewhere. `onFocused` is
 * called for every element in the part that gets the focus.
 */
export function useFocusRecovery(
  frame: RefObject<HTMLElement | null>,
  findSuccessor: (last: HTMLElement) => HTMLElement | null | undefined,
  onFocused: (element: HTMLElement) => void = () => undefined,
): void {
  const next = useEffectEvent(findSuccessor);
  const note = useEffectEvent(onFocused);

  useEffect(() => {
    const part = frame.current;
    if (!part) return;
    let last: HTMLElement | undefined;
    const follow = ({ target }: Event) => {
      if (!(target instanceof HTMLElement)) return;
      if (part.contains(target)) {
        last = target;
        note(target);
      } else if (!target.closest(transientLayers)) last = undefined;
    };
    const press = ({ target }: Event) => {
      if (target instanceof Node && !part.contains(target)) last = undefined;
    };
    const restore = () => {
      if (last && document.activeElement === document.body)
        next(last)?.focus({ preventScroll: true });
    };
    const changes = new MutationObserver(restore);
    changes.observe(part, { childList: true, subtree: true });
    document.addEventListener("focusin", follow);
    document.addEventListener("pointerdown", press);
    return () => {
      changes.disconnect();
      document.removeEventListener("focusin", follow);
      document.removeEventListener("pointerdown", press);
    };
  }, [frame]);
}
