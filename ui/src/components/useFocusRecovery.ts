import { type RefObject, useEffect, useEffectEvent } from "react";

/** What lies over the page for a moment, and gives the focus back by itself. */
const transientLayers =
  "[role=dialog], [role=alertdialog], [role=menu], [data-radix-popper-content-wrapper]";

/**
 * Keeps the place of the keyboard in a part of the page: what has the focus there may go, such as a row that is deleted
 * or a title that is written. `heir` is then told what had it last, and says who has it next. Does nothing while anybody
 * else has it, and nothing after a press elsewhere. `met` hears of everything that gets it there.
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
