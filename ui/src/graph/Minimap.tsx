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
import { useCritical } from "@/plan/usePace";
import { runsByNode } from "@/run/runsByNode";
import type { Frame } from "./frames";
import { nodeLooksOf } from "./looks";
import { mapSize, paintMap, placed } from "./paintedMap";
import { onThemeChange, type Paints, paintsOf } from "./paints";
import { boundsOf, numbersOf, type Scene } from "./scene";
import { inView, type View } from "./sight";
import { viewOf } from "./useSight";

/** The picture is drawn anew at most so often, in milliseconds: it is small, and nobody reads changes from it. */
const shortestRound = 250;
export interface MinimapProps {
  scene: Scene;
  /** The frames of groups. */
  frames: readonly Frame[];
}

/**
 * All of the plan in a corner, with a frame around what is in view. Press or drag in it to go there. For the pointer
 * only: the list and the search lead everywhere by keyboard.
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
    const { scale, x, y } = placed(bounds);
    void setCenter((clientX - left - x) / scale, (clientY - top - y) / scale, { zoom: getZoom() });
  }

  return (
    <div
      role="img"
      aria-label="Map of the plan"
      title="Map of the plan: press or drag to go there"
      style={mapSize}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={go}
      className="plan-drawing absolute right-3 bottom-3 z-10 cursor-pointer touch-none overflow-hidden rounded-card border bg-surface"
    >
      <canvas ref={canvas} style={mapSize} />
      <div
        ref={frame}
        className="pointer-events-none absolute top-0 left-0 rounded-small border border-accent bg-accent/10"
      />
    </div>
  );
}

/** Draws the plan, now and then. */
function useDrawing(
  canvas: { current: HTMLCanvasElement | null },
  scene: Scene,
  frames: readonly Frame[],
): void {
  const run = useEditor((state) => state.run);
  const critical = useCritical();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // To read them takes longer than to draw the map; they change with the theme alone.
  const paints = useRef<Paints>(undefined);
  const draw = useEffectEvent(() => {
    timer.current = undefined;
    if (!canvas.current) return;
    const looks = nodeLooksOf(scene, runsByNode(run));
    const subject = { scene, frames, looks, critical: numbersOf(scene.at, critical.nodes) };
    paints.current ??= paintsOf(canvas.current);
    paintMap(canvas.current, subject, paints.current);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what is drawn
  useEffect(() => {
    timer.current ??= setTimeout(() => draw(), shortestRound);
  }, [scene, frames, run, critical]);

  useEffect(() => {
    draw();
    const leave = onThemeChange(() => {
      paints.current = undefined;
      draw();
    });
    return () => {
      leave();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, []);
}

/** Keeps the frame around what is in view, without drawing anything anew. */
function useFrame(frame: { current: HTMLDivElement | null }, scene: Scene): void {
  const store = useStoreApi();
  useLayoutEffect(() => {
    const bounds = boundsOf(scene);
    const follow = () => {
      const view = viewOf(store.getState());
      if (view && bounds && frame.current) putAround(frame.current, view, bounds);
    };
    follow();
    return store.subscribe((now, before) => {
      if (now.transform !== before.transform || now.width !== before.width) follow();
    });
  }, [store, frame, scene]);
}

function putAround(element: HTMLElement, view: View, bounds: Rectangle): void {
  const seen = inView(view);
  const { scale, x, y } = placed(bounds);
  element.style.transform = `translate(${seen.x * scale + x}px,${seen.y * scale + y}px)`;
  element.style.width = `${seen.width * scale}px`;
  element.style.height = `${seen.height * scale}px`;
}
