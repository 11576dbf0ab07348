import { type KeyboardEvent, useEffect, useRef } from "react";
import type { NodeId } from "@/api/bindings";
import { useBlueprint } from "@/plan/blueprintContext";

/** Selects rows with Up, Down, Home and End. Other keys are left to the page. */
export function useRowKeyNavigation(ids: readonly NodeId[], showRow: (index: number) => void) {
  const { editor } = useBlueprint();
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  return (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { selection, select } = editor.getState();
    const last = [...selection].at(-1);
    const at = last === undefined ? -1 : ids.indexOf(last);
    const moves: Record<string, number> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: ids.length - 1,
    };
    const wanted = moves[event.key];
    if (wanted === undefined) return;
    const to = Math.min(ids.length - 1, Math.max(0, wanted));
    const next = ids[to];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    select([next]);
    showRow(to);
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-row="${CSS.escape(next)}"]`)?.focus(),
    );
  };
}
