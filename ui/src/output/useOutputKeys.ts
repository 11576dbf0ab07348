import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent } from "react";
import { isPageRoot } from "@/components/isPageRoot";
import { isGlobalOutputKey, type OutputKey, outputKey } from "./outputKeys";

export interface OutputKeysOptions {
  /** The element with the rows. */
  scroller: RefObject<HTMLElement | null>;
  /** Returns whether the key did something. */
  act: (key: OutputKey) => boolean;
  /** Ctrl+F searches this output from anywhere in the window. */
  ownsFind: boolean;
}

/** These need the focus, because outside they mean something else. */
const ofSelection: ReadonlySet<OutputKey["act"]> = new Set(["select_all", "copy", "escape"]);

/** Returns the key handler of an output. Fields and buttons keep their own keys. */
export function useOutputKeys({ scroller, act, ownsFind }: OutputKeysOptions) {
  const ofPage = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.defaultPrevented || isInDialog(event.target)) return;
    const key = outputKey(event);
    // Before anything on the page is focused, keys apply to the output.
    const isMeant = isPageRoot(event.target) && key && !ofSelection.has(key.act);
    if (key && (isMeant || isGlobalOutputKey(key, event))) handle(event, key);
  });
  useEffect(() => {
    if (!ownsFind) return;
    const onKeyDown = (event: globalThis.KeyboardEvent) => ofPage(event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [ownsFind]);

  return (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const key = outputKey(event);
    const isOnRows = event.target instanceof Node && scroller.current?.contains(event.target);
    if (key && (isOnRows || isGlobalOutputKey(key, event))) handle(event, key);
  };

  function handle(event: Pick<Event, "preventDefault">, key: OutputKey) {
    if (act(key)) event.preventDefault();
  }
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog], [role=alertdialog]") !== null;
}
