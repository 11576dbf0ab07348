import { getViewportForBounds, useReactFlow } from "@xyflow/react";
import { type RefObject, useEffect, useEffectEvent } from "react";
import type { NodeId, Position } from "@/api/bindings";
import type { NodeStateName } from "@/components/nodeState";
import { useBlueprint } from "@/plan/blueprintContext";
import { cardSize } from "@/plan/geometry";
import type { CanvasHandle } from "@/plan/page";
import { fitPadding, minVisibleZoom, openingPlace } from "./initialViewport";
import { lineAt } from "./lineAt";
import { blockZoom, readableZoom } from "./renderWindow";
import { boundsOf, placeOf as placeIn, type Scene } from "./scene";
import type { PlanEdge } from "./toEdges";
import type { CardNode } from "./toFlow";
import { useNodeAnimation } from "./useNodeAnimation";
import { useRefitOnResize } from "./useRefitOnResize";

/** Below this zoom, even large titles are hard to read. */
const titleZoom = 0.33;
/** A plan with up to this many nodes opens at a readable zoom, even if it doesn't fit. */
const maxReadableNodes = 60;
const openZoom = 0.5;
/** Space for the palette, in pixels. */
const leftMargin = 72;

/** How many frames to wait for a node's element to appear. */
const framesToWait = 20;

/** The level of detail at a zoom: the full card, the title, or a block in the state's color. */
export type DetailLevel = "full" | "title" | "block";

function detailAt(zoom: number): DetailLevel {
  if (zoom < blockZoom) return "block";
  return zoom < readableZoom ? "title" : "full";
}

/**
 * The outline width that stays visible when zoomed out. Changes in steps, so that zooming rarely
 * changes a style.
 */
function outlineAt(zoom: number): number {
  return zoom < blockZoom ? 2 / 2 ** Math.floor(Math.log2(zoom)) : 2;
}

/**
 * How the view moves. Straight, because the usual way zooms out in between, and a move that begins
 * before the last one has ended would keep that zoom.
 */
function motion(): { duration: number; interpolate: "linear" } {
  const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 150;
  return { duration, interpolate: "linear" };
}

/** Provides the page with control over the canvas: fit, zoom, reveal, animate. */
export function useCanvasHandle({
  frame,
  scene,
  showPlaces,
  keep,
}: {
  frame: RefObject<HTMLDivElement | null>;
  /** The geometry at this moment. */
  scene: Scene;
  /** Makes sure that a node is rendered as an element, even outside the view. */
  keep: (node: NodeId) => void;
  showPlaces: (places: ReadonlyMap<NodeId, Position>) => void;
}) {
  const { page, editor } = useBlueprint();
  const reactFlow = useReactFlow<CardNode, PlanEdge>();
  const glide = useNodeAnimation(showPlaces);
  const fitted = useRefitOnResize();
  const placeOf = useEffectEvent((id: NodeId) => placeIn(scene, id));
  const edgeAt = useEffectEvent((place: Position) => lineAt(scene, place)?.key);
  const want = useEffectEvent(keep);
  const run = useEffectEvent(glide);
  // Based on the plan rather than on elements, because there are few when zoomed out.
  const fitTo = useEffectEvent(
    async (ids: readonly NodeId[] | undefined, options: { duration?: number }) => {
      const bounds = boundsOf(scene, ids && ids.length > 0 ? ids : undefined);
      const box = frame.current?.getBoundingClientRect();
      if (!bounds || !box) return;
      const width = box.width - leftMargin;
      const view = getViewportForBounds(bounds, width, box.height, 0, 1, fitPadding);
      const shown = { ...view, x: view.x + leftMargin };
      if (ids === undefined) fitted(shown, () => fitTo(undefined, {}));
      await reactFlow.setViewport(shown, options);
    },
  );
  // Shows the whole plan, unless that would be unreadable: then its start, or the node that is
  // active.
  const open = useEffectEvent(async () => {
    await fitTo(undefined, {});
    const bounds = boundsOf(scene);
    const box = frame.current?.getBoundingClientRect();
    const zoom = reactFlow.getZoom();
    const isSmall = scene.nodes.length <= maxReadableNodes;
    if (bounds && box && zoom < (isSmall ? titleZoom : minVisibleZoom)) {
      const active = editor.getState().run?.nodes.find(({ state }) => isActive(state.state));
      const { left, middle } = openingPlace(scene, bounds, {
        showsWhole: isSmall && bounds.height * openZoom <= box.height,
        active: active && placeIn(scene, active.node),
      });
      const view = {
        x: leftMargin - left * openZoom,
        y: box.height / 2 - middle * openZoom,
        zoom: openZoom,
      };
      fitted(view, () => open());
      await reactFlow.setViewport(view);
    }
    showZoom(reactFlow.getZoom());
  });

  // Sets the level of detail as an attribute, so that zooming doesn't rerender any card.
  function showZoom(zoom: number) {
    const level = detailAt(zoom);
    if (!frame.current) return;
    if (frame.current.dataset.lod !== level) frame.current.dataset.lod = level;
    const { style } = frame.current;
    style.setProperty("--outline", `${outlineAt(zoom)}px`);
    style.setProperty("--zoom", String(zoom));
    style.setProperty("--frame-title", String(Math.min(5, Math.max(1, 0.85 / zoom))));
  }

  useEffect(() => {
    const box = () => frame.current?.getBoundingClientRect() ?? new DOMRect();
    const isShown = (place: Position) => {
      const zoom = reactFlow.getZoom();
      return zoom >= blockZoom && inSight(reactFlow.flowToScreenPosition(place), zoom, box());
    };
    const show = (node: NodeId) => {
      const place = placeOf(node);
      if (!place || isShown(place)) return;
      void reactFlow.setCenter(place.x + cardSize.width / 2, place.y + cardSize.height / 2, {
        zoom: Math.max(reactFlow.getZoom(), readableZoom),
        ...motion(),
      });
    };
    const bringIntoView = (node: NodeId, tries = framesToWait) => {
      const place = placeOf(node);
      // The canvas gets a new node with its next render.
      if (!place && tries > 0) requestAnimationFrame(() => bringIntoView(node, tries - 1));
      if (!place) return;
      const { x, y, zoom } = reactFlow.getViewport();
      const by = shiftIntoSight(reactFlow.flowToScreenPosition(place), zoom, box());
      if (by.x === 0 && by.y === 0) return;
      void reactFlow.setViewport({ x: x + by.x, y: y + by.y, zoom }, motion());
    };
    const bringAnyIntoView = (nodes: readonly NodeId[]) => {
      const drawn = nodes.flatMap((id) => {
        const place = placeOf(id);
        return place ? [{ id, place }] : [];
      });
      const [first] = drawn;
      const isInSight = ({ place }: { place: Position }) =>
        inSight(reactFlow.flowToScreenPosition(place), reactFlow.getZoom(), box());
      if (first && !drawn.some(isInSight)) bringIntoView(first.id);
    };
    let aim: NodeId | undefined;
    const canvas: CanvasHandle = {
      revealTarget: () => aim,
      fit: (nodes) => void fitTo(nodes, motion()),
      zoomTo: (zoom) => void reactFlow.zoomTo(zoom, motion()),
      zoomBy: (factor) => void reactFlow.zoomTo(reactFlow.getZoom() * factor, motion()),
      show,
      bringIntoView: (node) => bringIntoView(node),
      bringAnyIntoView: (nodes) => void requestAnimationFrame(() => bringAnyIntoView(nodes)),
      reveal: (node) => {
        want(node);
        show(node);
        aim = node;
        const focus = (tries: number) => {
          if (aim !== node) return;
          const element = frame.current?.querySelector<HTMLElement>(
            `.react-flow__node[data-id="${CSS.escape(node)}"]`,
          );
          element?.focus({ preventScroll: true });
          if (element || tries === 0) aim = undefined;
          else requestAnimationFrame(() => focus(tries - 1));
        };
        requestAnimationFrame(() => focus(framesToWait));
      },
      focus: () => {
        const chosen = frame.current?.querySelector<HTMLElement>(".react-flow__node.selected");
        (chosen ?? graphIn(frame.current))?.focus({ preventScroll: true });
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
      animateTo: (places, settle, arrived) => run(placeOf, places, settle, arrived),
      placeOf: (id) => placeOf(id),
      edgeAt: (place) => edgeAt(place),
    };
    page.setState({ canvas });
    return () => page.setState({ canvas: undefined });
  }, [page, reactFlow, frame]);

  return {
    showZoom,
    toPlan: (screen: Position) => reactFlow.screenToFlowPosition(screen, { snapToGrid: false }),
    /** Shows the whole plan when it is opened, at a zoom of at most 100%. */
    open: () => open(),
  };
}

/** The element that has the keyboard focus when no card does. */
export function graphIn(frame: HTMLElement | null): HTMLElement | null | undefined {
  return frame?.querySelector<HTMLElement>(".react-flow");
}

/** The node whose card contains the element. */
export function cardAt(element: Element | null): NodeId | undefined {
  return element?.closest<HTMLElement>(".react-flow__node")?.dataset.id;
}

/** The space between a card that is brought into view and the edge of the canvas, in pixels. */
const sightMargin = 16;

function inSight(corner: Position, zoom: number, box: DOMRect): boolean {
  return (
    corner.x >= box.left &&
    corner.y >= box.top &&
    corner.x + cardSize.width * zoom <= box.right &&
    corner.y + cardSize.height * zoom <= box.bottom
  );
}

/** How far the view has to move so that a whole card with its corner here is in sight, in pixels. */
function shiftIntoSight(corner: Position, zoom: number, box: DOMRect): Position {
  const along = (start: number, size: number, from: number, to: number) => {
    if (start < from + sightMargin) return from + sightMargin - start;
    const beyond = start + size - (to - sightMargin);
    // The start of a card that is larger than the box counts more than its end.
    return beyond > 0 ? -Math.min(beyond, start - from - sightMargin) : 0;
  };
  return {
    x: along(corner.x, cardSize.width * zoom, box.left + leftMargin, box.right),
    y: along(corner.y, cardSize.height * zoom, box.top, box.bottom),
  };
}

/** Reports whether a node in this state should be in view when the plan is opened. */
function isActive(state: NodeStateName | undefined): boolean {
  return state === "running" || state === "waiting" || state === "failed";
}
