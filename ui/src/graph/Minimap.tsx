import { useReactFlow, useStoreApi } from "@xyflow/react";
import {
  type PointerEvent,
  type ReactElement,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from "react";
import { useEditor } from "@/plan/editor";
import type { Rectangle } from "@/plan/geometry";
import { useCriticalPath } from "@/plan/usePlanTiming";
import { runsByNode } from "@/run/runsByNode";
import { computeNodeAppearances } from "./appearances";
import { type CanvasColors, onThemeChange, readCanvasColors } from "./canvasColors";
import type { Frame } from "./frames";
import { fitInMinimap, minimapSize, paintMinimap } from "./paintMinimap";
import { type CanvasViewport, visibleArea } from "./renderWindow";
import { boundsOf, indicesOf, type Scene } from "./scene";
import { viewportOf } from "./useRenderWindow";

/**
 * The minimum interval between repaints, in milliseconds. The map is small, so delayed changes
 * don't matter.
 */
const minRedrawIntervalMs = 250;
export interface MinimapProps {
  scene: Scene;
  frames: readonly Frame[];
}

/**
 * An overview of the whole plan, with a frame around the visible part. Click or drag to move the
 * view. Pointer only: the list and the search reach every node by keyboard.
 */
export function Minimap({ scene, frames }: MinimapProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const { setCenter, getZoom } = useReactFlow();
  useDrawing(canvas, scene, frames);
  useFrame(frame, scene);

  function go({ clientX, clientY, currentTarget, buttons }: PointerEvent<HTMLElement>) {
    const bounds = boundsOf(scene);
    if (buttons !== 1 || !bounds) return;
    const { left, top } = currentTarget.getBoundingClientRect();
    const { scale, x, y } = fitInMinimap(bounds);
    void setCenter((clientX - left - x) / scale, (clientY - top - y) / scale, { zoom: getZoom() });
  }

  return (
    <div
      role="img"
      aria-label="Minimap"
      title="Minimap: click or drag to move the view"
      style={minimapSize}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={go}
      className="plan-drawing absolute right-3 bottom-3 @max-[30rem]/canvas:bottom-13 z-10 cursor-pointer touch-none overflow-hidden rounded-card border bg-surface shadow-float"
    >
      <canvas ref={canvas} style={minimapSize} />
      <div
        ref={frame}
        className="pointer-events-none absolute top-0 left-0 rounded-small border border-accent bg-accent/10"
      />
    </div>
  );
}

/** Repaints the plan, at most once per interval. */
function useDrawing(
  canvas: { current: HTMLCanvasElement | null },
  scene: Scene,
  frames: readonly Frame[],
): void {
  const run = useEditor((state) => state.run);
  const critical = useCriticalPath();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Cached, because reading the colors takes longer than painting the map. They change only with
  // the theme.
  const canvasColors = useRef<CanvasColors>(undefined);
  const draw = useEffectEvent(() => {
    timer.current = undefined;
    if (!canvas.current) return;
    const appearances = computeNodeAppearances(scene, runsByNode(run));
    const subject = {
      scene,
      frames,
      appearances,
      critical: indicesOf(scene.indexById, critical.nodes),
    };
    canvasColors.current ??= readCanvasColors(canvas.current);
    paintMinimap(canvas.current, subject, canvasColors.current);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: redraw when any of these changes
  useEffect(() => {
    timer.current ??= setTimeout(() => draw(), minRedrawIntervalMs);
  }, [scene, frames, run, critical]);

  useEffect(() => {
    draw();
    const leave = onThemeChange(() => {
      canvasColors.current = undefined;
      draw();
    });
    return () => {
      leave();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, []);
}

/** Keeps the frame around the visible part, without rerendering. */
function useFrame(frame: { current: HTMLDivElement | null }, scene: Scene): void {
  const store = useStoreApi();
  useLayoutEffect(() => {
    const bounds = boundsOf(scene);
    const follow = () => {
      const view = viewportOf(store.getState());
      if (view && bounds && frame.current) putAround(frame.current, view, bounds);
    };
    follow();
    return store.subscribe((now, before) => {
      if (now.transform !== before.transform || now.width !== before.width) follow();
    });
  }, [store, frame, scene]);
}

function putAround(element: HTMLElement, view: CanvasViewport, bounds: Rectangle): void {
  const seen = visibleArea(view);
  const { scale, x, y } = fitInMinimap(bounds);
  element.style.transform = `translate(${seen.x * scale + x}px,${seen.y * scale + y}px)`;
  element.style.width = `${seen.width * scale}px`;
  element.style.height = `${seen.height * scale}px`;
}
