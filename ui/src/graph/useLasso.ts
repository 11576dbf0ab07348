import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import type { NodeId, Position } from "@/api/bindings";
import { suppressNextClick, trackPointer } from "@/components/pointerDrag";
import { useBlueprint } from "@/plan/blueprintContext";
import { drawnOn, nodesInLasso } from "./lasso";
import type { Scene } from "./scene";

/** The minimum distance between points of the outline, in pixels. */
const minStrokeLength = 4;

/** The outline of a lasso, and the selection before it. */
interface Drawing {
  outline: readonly Position[];
  before: ReadonlySet<NodeId>;
  adds: boolean;
}

/**
 * Selects nodes by lasso: with Alt from the empty canvas, or from anywhere while the lasso tool is
 * on. Shift adds to the selection; Escape restores it. The outline is in plan coordinates, so it
 * stays in place when the view moves. Returns the outline while it is drawn.
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
    // Select once per frame, however often the pointer reports: with 10,000 nodes, it takes part of
    // a frame.
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
    // Stops the press from also starting a box selection, a drag or a click. Capturing on the
    // window is needed because React listens above the canvas.
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

/**
 * Reports whether a press starts a lasso: with the tool anywhere on the graph, or with Alt on the
 * empty canvas.
 */
function isDeliberateLasso(
  { target, altKey, button }: MouseEvent,
  canvas: HTMLElement | null,
  tool: boolean,
): boolean {
  if (button !== 0 || !(target instanceof Element) || !canvas?.contains(target)) return false;
  if (tool) return target.closest(".react-flow") !== null;
  return altKey && target.classList.contains("react-flow__pane");
}
