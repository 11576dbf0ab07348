import { useReactFlow } from "@xyflow/react";
import { type RefObject, useEffect, useEffectEvent } from "react";
import type { NodeId, Position } from "@/api/bindings";
import { useBlueprint } from "@/blueprint/blueprintContext";
import type { CanvasHandle } from "@/blueprint/page";
import { cardSize } from "./geometry";
import type { CardNode, Flow, PlanEdge } from "./toFlow";
import { useGlide } from "./useGlide";

const padding = 0.12;

/** How much of a node is drawn at a zoom: all, its title, or a block in the hue of its state. */
export type DetailLevel = "full" | "title" | "block";

export function detailAt(zoom: number): DetailLevel {
  if (zoom < 0.3) return "block";
  return zoom < 0.6 ? "title" : "full";
}

function motion(): { duration: number } {
  return { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 150 };
}

/** Lets the page move the canvas: fit, zoom, reveal, glide. */
export function useCanvasHandle({
  frame,
  flow,
  showPlaces,
}: {
  frame: RefObject<HTMLDivElement | null>;
  flow: Flow;
  showPlaces: (places: ReadonlyMap<NodeId, Position>) => void;
}) {
  const { page } = useBlueprint();
  const reactFlow = useReactFlow<CardNode, PlanEdge>();
  const glide = useGlide(showPlaces);
  const placeOf = useEffectEvent(
    (id: NodeId) => flow.nodes.find((node) => node.id === id)?.position,
  );
  const run = useEffectEvent(glide);

  // Not through React: a zoom must not draw a single card anew.
  function showZoom(zoom: number) {
    const level = detailAt(zoom);
    if (frame.current && frame.current.dataset.lod !== level) frame.current.dataset.lod = level;
  }

  useEffect(() => {
    const box = () => frame.current?.getBoundingClientRect() ?? new DOMRect();
    const show = (node: NodeId) => {
      const place = placeOf(node);
      if (!place || inSight(reactFlow.flowToScreenPosition(place), reactFlow.getZoom(), box()))
        return;
      void reactFlow.setCenter(place.x + cardSize.width / 2, place.y + cardSize.height / 2, {
        zoom: reactFlow.getZoom(),
        ...motion(),
      });
    };
    const canvas: CanvasHandle = {
      fit: (nodes) =>
        void reactFlow.fitView({
          padding,
          maxZoom: 1,
          ...(nodes && { nodes: nodes.map((id) => ({ id })) }),
          ...motion(),
        }),
      zoomTo: (zoom) => void reactFlow.zoomTo(zoom, motion()),
      zoomBy: (factor) => void reactFlow.zoomTo(reactFlow.getZoom() * factor, motion()),
      show,
      reveal: (node) => {
        show(node);
        requestAnimationFrame(() => {
          const element = frame.current?.querySelector<HTMLElement>(
            `.react-flow__node[data-id="${CSS.escape(node)}"]`,
          );
          element?.focus({ preventScroll: true });
        });
      },
      toPlan: (screen) => reactFlow.screenToFlowPosition(screen, { snapToGrid: false }),
      toScreen: (place) => reactFlow.flowToScreenPosition(place),
      middle: () => {
        const { left, top, width, height } = box();
        return reactFlow.screenToFlowPosition({ x: left + width / 2, y: top + height / 2 });
      },
      contains: ({ x, y }) => {
        const { left, top, right, bottom } = box();
        return x > left && x < right && y > top && y < bottom;
      },
      glide: (places, settle) => run(placeOf, places, settle),
      placeOf: (id) => placeOf(id),
    };
    page.setState({ canvas });
    return () => page.setState({ canvas: undefined });
  }, [page, reactFlow, frame]);

  return {
    showZoom,
    toPlan: (screen: Position) => reactFlow.screenToFlowPosition(screen, { snapToGrid: false }),
    /** The whole plan at first sight, at most at its own size. */
    open: () => {
      void reactFlow.fitView({ padding, maxZoom: 1 }).then(() => showZoom(reactFlow.getZoom()));
    },
  };
}

function inSight(corner: Position, zoom: number, box: DOMRect): boolean {
  return (
    corner.x >= box.left &&
    corner.y >= box.top &&
    corner.x + cardSize.width * zoom <= box.right &&
    corner.y + cardSize.height * zoom <= box.bottom
  );
}
