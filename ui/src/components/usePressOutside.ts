import { type RefObject, useEffect, useEffectEvent } from "react";

/**
 * Calls `onPress` at a press outside of an element while it is shown. Radix waits for the click, and
 * takes one whose events were stopped on the way, such as on a card of the graph, for none.
 */
export function usePressOutside(
  element: RefObject<HTMLElement | null>,
  shown: boolean,
  onPress: () => void,
): void {
  const press = useEffectEvent(({ target }: PointerEvent) => {
    if (target instanceof Node && !element.current?.contains(target)) onPress();
  });
  useEffect(() => {
    if (!shown) return;
    document.addEventListener("pointerdown", press, true);
    return () => document.removeEventListener("pointerdown", press, true);
  }, [shown]);
}
