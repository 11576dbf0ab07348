import { type PointerEvent, type RefObject, useState } from "react";
import type { NodeId } from "@/api/bindings";
import { usePointerDrag } from "@/components/pointerDrag";
import { useTextScale } from "@/design/textScale";
import { useBlueprint } from "@/plan/blueprintContext";
import { reorder } from "@/plan/edits";
import { formatChosen } from "@/plan/nodeCounts";
import { createAutoScroll } from "./autoScroll";
import { dropIndexAt } from "./reorder";

/** The height of a row, in units of the text scale. */
const rowUnits = 32;

export function useRowHeight(): number {
  return rowUnits * useTextScale();
}

/**
 * Drags rows by their handles. `gap` is where they would be dropped. The list scrolls near its
 * edges; Escape cancels.
 */
export function useRowDrag(
  body: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
) {
  const { editor } = useBlueprint();
  const rowHeight = useRowHeight();
  const [gap, setGap] = useState<number | undefined>();
  const follow = usePointerDrag();

  function begin(event: PointerEvent, id: NodeId) {
    if (event.button !== 0) return;
    event.preventDefault();
    const { selection, select } = editor.getState();
    const dragged = selection.has(id) ? selection : new Set([id]);
    if (dragged !== selection) select(dragged);
    let target: number | undefined;
    let pointer = event.clientY;
    const scrolling = list.current && createAutoScroll(list.current, () => aim());

    const cancel = () => {
      scrolling?.end();
      setGap(undefined);
    };
    const aim = () => {
      const top = body.current?.getBoundingClientRect().top;
      if (top === undefined) return;
      target = dropIndexAt(pointer - top, rowHeight, editor.getState().plan.nodes.length);
      setGap(target);
    };
    const move = ({ clientY }: globalThis.PointerEvent) => {
      pointer = clientY;
      scrolling?.follow(clientY);
      aim();
    };
    const drop = () => {
      cancel();
      if (target === undefined) return;
      const to = target;
      editor
        .getState()
        .edit(`Reorder ${formatChosen(editor.getState().plan.nodes, dragged)}`, (plan) =>
          reorder(plan, dragged, to),
        );
    };
    follow({ move, drop, cancel });
  }

  return { gap, begin };
}
