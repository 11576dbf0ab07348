import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type LocalCommandId, localCommandFor } from "@/commands/localCommands";
import { isPageRoot } from "@/components/isPageRoot";
import { chooseByNumber } from "@/pending/answerKeys";

/**
 * Roving tabindex: Tab reaches one item of a list, and arrow keys move between items. When the
 * focused item is removed, the focus moves to the item at its position, or to `refuge` when none is
 * left.
 */
export function useRovingFocus(keys: readonly string[], refuge: () => HTMLElement | null) {
  const items = useRef(new Map<string, HTMLElement>());
  const [current, setCurrent] = useState<string>();
  const held = useRef<{ key: string; at: number }>(undefined);
  const reachable = current !== undefined && keys.includes(current) ? current : keys[0];

  useEffect(() => {
    if (held.current === undefined || keys.includes(held.current.key)) return;
    const next = keys[Math.min(held.current.at, keys.length - 1)];
    held.current = undefined;
    // Don't steal the focus if it has moved elsewhere meanwhile.
    if (!isPageRoot(document.activeElement)) return;
    const target = next === undefined ? refuge() : items.current.get(next);
    target?.focus();
  }, [keys, refuge]);

  function goTo(at: number) {
    const key = keys[Math.max(0, Math.min(keys.length - 1, at))];
    if (key !== undefined) items.current.get(key)?.focus();
  }

  return {
    goTo,
    /** The item that has the focus, had it last, or would get it on Tab. */
    current: reachable,
    /** Returns the props of the item `key`. */
    item: (key: string) => ({
      ref: (element: HTMLElement | null) => {
        if (element) items.current.set(key, element);
        else items.current.delete(key);
      },
      tabIndex: key === reachable ? 0 : -1,
      "data-current": key === reachable,
      onFocus() {
        held.current = { key, at: keys.indexOf(key) };
        setCurrent(key);
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        const id = localCommandFor("inbox", event);
        if (id === undefined && chooseByNumber(event, event.currentTarget)) event.preventDefault();
        // Controls inside an item handle their other keys. On an answer, Enter gives it, and the
        // keys of the item choose another one.
        const { target: on } = event;
        const isAnswer = on instanceof HTMLElement && on.dataset.answer !== undefined;
        if (on !== event.currentTarget && (!isAnswer || id === "inbox_show")) return;
        const at = keys.indexOf(key);
        const held = event.ctrlKey || event.metaKey || event.altKey;
        const steps: Partial<Record<LocalCommandId, number>> = {
          inbox_next: at + 1,
          inbox_previous: at - 1,
        };
        const ends: Record<string, number> = { Home: 0, End: keys.length - 1 };
        const target = id ? steps[id] : held ? undefined : ends[event.key];
        if (target !== undefined) goTo(target);
        else if (id === undefined || !press(event, id)) return;
        event.preventDefault();
      },
    }),
  };
}

/**
 * Clicks the control of an item that is bound to the command. An answer that starts work only gets
 * the focus, and Enter gives it. Returns whether there was something to do.
 */
function press({ repeat, currentTarget }: KeyboardEvent<HTMLElement>, id: LocalCommandId): boolean {
  if (repeat) return false;
  const control = currentTarget.querySelector<HTMLElement>(`[data-answer="${id}"]`);
  if (
    control === null ||
    (control.dataset.commits !== undefined && document.activeElement === control)
  )
    return false;
  if (control.dataset.commits !== undefined) control.focus();
  else control.click();
  return true;
}
