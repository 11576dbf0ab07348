import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import type { NodeId, Position } from "@/api/bindings";
import { suppressNextClick, trackPointer } from "@/components/pointerDrag";
import { useBlueprint } from "@/plan/blueprintContext";
import { drawnOn, nodesInLasso } from "./lasso";
import type { Scene } from "./scene";

/** The least way of the pen that is kept, in pixels. */
const minStrokeLength = 4;

/** Where a lasso is drawn, and what is selected apart from it. */
interface Drawing {
  outline: readonly Position[];
  before: ReadonlySet<NodeId>;
  adds: boolean;
}

/**
 * Selects by a line that is drawn by hand: with Alt from the empty canvas, and from anywhere while the tool is on. Shift
 * adds to what is selected; Escape lets everything be as it was. What is drawn stays on the plan while the view moves.
 * Answers the line while it is drawn.
 */
export function useLasso(
  frame: RefObject<HTMLElement | null>,
  scene: Scene,
  members: (ids: Iterable<NodeId>) => NodeId[],
  toPlan: (screen: Position) => Position,
): readonly Position[] {
  const { editor, page } = useBlueprint();
  const [outline, setOutline] = useState<readonly Position[]>(nothing);
  const drawing = useRef<Drawing>(undefined);
  const frameWaits = useRef(0);

  const choose = useEffectEvent(() => {
    frameWaits.current = 0;
    const now = drawing.current;
    if (!now) return;
    setOutline(now.outline);
    const found = nodesInLasso(scene, now.outline).flatMap(
      (number) => scene.nodes[number]?.id ?? [],
    );
    editor.getState().select([...(now.adds ? now.before : []), ...members(found)]);
  });
  const follow = useEffectEvent((event: PointerEvent) => {
    const now = drawing.current;
    if (!now) return;
    const at = toPlan({ x: event.clientX, y: event.clientY });
    const unit = toPlan({ x: event.clientX + 1, y: event.clientY }).x - at.x;
    const drawn = drawnOn(now.outline, at, minStrokeLength * unit);
    if (drawn === now.outline) return;
    now.outline = drawn;
    // One choice for a frame, however often the pointer reports: of 10,000 nodes it takes a part of it.
    frameWaits.current ||= requestAnimationFrame(choose);
  });
  const begin = useEffectEvent((event: PointerEvent) => {
    if (!isDeliberateLasso(event, frame.current, page.getState().lasso)) return false;
    const { selection } = editor.getState();
    const at = toPlan({ x: event.clientX, y: event.clientY });
    drawing.current = { outline: [at], before: selection, adds: event.shiftKey };
    return true;
  });
  const end = useEffectEvent((cancelled: boolean) => {
    const now = drawing.current;
    if (!now) return;
    cancelAnimationFrame(frameWaits.current);
    if (cancelled) editor.getState().select(now.before);
    else choose();
    frameWaits.current = 0;
    drawing.current = undefined;
    setOutline(nothing);
  });

  useEffect(() => {
    let cancelGesture: (() => void) | undefined;
    const drag = {
      move: (event: PointerEvent) => follow(event),
      drop: () => {
        end(false);
        suppressNextClick();
      },
      cancel: () => end(true),
    };
    // Nobody may take the same press for a box, a drag of a card, or a choice. React hears of presses above the canvas.
    const press = (event: PointerEvent) => {
      if (!begin(event)) return;
      event.stopPropagation();
      event.preventDefault();
      cancelGesture = trackPointer(drag);
    };
    const keepBack = (event: MouseEvent) => {
      if (isDeliberateLasso(event, frame.current, page.getState().lasso)) event.stopPropagation();
    };
    window.addEventListener("pointerdown", press, true);
    window.addEventListener("mousedown", keepBack, true);
    window.addEventListener("click", keepBack, true);
    return () => {
      cancelGesture?.();
      window.removeEventListener("pointerdown", press, true);
      window.removeEventListener("mousedown", keepBack, true);
      window.removeEventListener("click", keepBack, true);
    };
  }, [frame, page]);

  return outline;
}

const nothing: readonly Position[] = [];

/** Whether a press begins a lasso: with the tool anywhere on the graph, with Alt where nothing lies. */
function isDeliberateLasso(
  { target, altKey, button }: MouseEvent,
  canvas: HTMLElement | null,
  tool: boolean,
): boolean {
  if (button !== 0 || !(target instanceof Element) || !canvas?.contains(target)) return false;
  if (tool) return target.closest(".react-flow") !== null;
  return altKey && target.classList.contains("react-flow__pane");
}
