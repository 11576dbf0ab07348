import { type PointerEvent, useState } from "react";
import type { Position } from "@/api/bindings";
import { suppressNextClick, usePointerDrag } from "@/components/pointerDrag";
import { useBlueprint } from "@/plan/blueprintContext";
import { cardSize } from "@/plan/geometry";
import type { KindOffer } from "@/plan/nodeKinds";

/** A kind being dragged from the palette to the canvas. */
export interface PaletteDrag {
  offer: KindOffer;
  screen: Position;
}

const threshold = 4;

/**
 * Drags a kind from the palette to the canvas. A press without a move is left to the click handler.
 */
export function usePaletteDrag() {
  const { page, edit } = useBlueprint();
  const [drag, setDrag] = useState<PaletteDrag | undefined>();
  const follow = usePointerDrag();

  function begin(event: PointerEvent<HTMLElement>, offer: KindOffer) {
    if (event.button !== 0) return;
    const start = { x: event.clientX, y: event.clientY };
    let moved = false;
    const cancel = () => {
      setDrag(undefined);
      page.setState({ dropEdge: undefined });
    };
    const move = (to: globalThis.PointerEvent) => {
      const screen = { x: to.clientX, y: to.clientY };
      moved ||= Math.hypot(screen.x - start.x, screen.y - start.y) > threshold;
      if (!moved) return;
      setDrag({ offer, screen });
      page.setState({ dropEdge: edgeUnder(screen) });
    };
    const edgeUnder = (screen: Position) => {
      const { canvas } = page.getState();
      if (offer.kind === "note" || !canvas?.contains(screen) || overPalette(screen))
        return undefined;
      return canvas.edgeAt(canvas.toPlan(screen));
    };
    const drop = (to: globalThis.PointerEvent) => {
      cancel();
      if (!moved) return;
      suppressNextClick();
      const { canvas } = page.getState();
      const screen = { x: to.clientX, y: to.clientY };
      if (!canvas?.contains(screen) || overPalette(screen)) return;
      const at = canvas.toPlan(screen);
      const edge = edgeUnder(screen);
      edit.add(offer.kind, {
        ...(edge !== undefined && { edge }),
        at: { x: at.x - cardSize.width / 2, y: at.y - cardSize.height / 2 },
      });
    };
    follow({ move, drop, cancel });
  }

  return { drag, begin };
}

function overPalette({ x, y }: Position): boolean {
  return document.elementFromPoint(x, y)?.closest("[data-palette]") != null;
}
