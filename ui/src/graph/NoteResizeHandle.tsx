import { useReactFlow } from "@xyflow/react";
import type { PointerEvent, ReactElement } from "react";
import { usePointerDrag } from "@/components/pointerDrag";
import { useBlueprint } from "@/plan/blueprintContext";
import { fittingNoteSize } from "@/plan/notes";

type Size = { width: number; height: number };

/** The corner handle that resizes a note. Pointer only: commands do the same by keyboard. */
export function NoteResizeHandle({
  id,
  size,
  onPull,
}: {
  id: string;
  size: Size;
  /** Called with the size while dragging, and with undefined at the end. */
  onPull: (size: Size | undefined) => void;
}): ReactElement {
  const { edit } = useBlueprint();
  const { getZoom } = useReactFlow();
  const follow = usePointerDrag();

  function begin(event: PointerEvent) {
    if (event.button !== 0) return;
    event.stopPropagation();
    const [startX, startY] = [event.clientX, event.clientY];
    let pulled: Size | undefined;
    const move = (to: globalThis.PointerEvent) => {
      pulled = fittingNoteSize({
        width: size.width + (to.clientX - startX) / getZoom(),
        height: size.height + (to.clientY - startY) / getZoom(),
      });
      onPull(pulled);
    };
    const cancel = () => onPull(undefined);
    const drop = () => {
      cancel();
      if (pulled) edit.resizeNote(id, pulled);
    };
    follow({ move, drop, cancel });
  }

  return (
    <div
      aria-hidden="true"
      data-grip=""
      title="Drag to resize the note"
      onPointerDown={begin}
      className="nodrag nopan absolute right-0 bottom-0 size-4 cursor-nwse-resize touch-none"
    >
      <svg viewBox="0 0 16 16" aria-hidden="true" className="size-4 text-faint">
        <path d="M13 5v8H5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      </svg>
    </div>
  );
}
