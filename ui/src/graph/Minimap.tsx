import { useReactFlow, useStoreApi } from "@xyflow/react";
import {
  type PointerEvent,
  type ReactElement,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from "react";
import { useEditor } from "@/blueprint/editor";
import type { Rectangle } from "./geometry";
import { looksOf, nodeLooks } from "./looks";
import { onThemeChange, paintsOf } from "./paints";
import { boundsOf, rectangleOf, type Scene } from "./scene";
import { grown, inView, type View } from "./sight";
import { runsByNode } from "./toFlow";
import { viewOf } from "./useSight";

const size = { width: 192, height: 128 };
/** The picture is drawn anew at most so often, in milliseconds: it is small, and nobody reads changes from it. */
const shortestRound = 250;
/** The least that a node is drawn at, in pixels. */
const leastBlock = 1.5;

/**
 * All of the plan in a corner, with a frame around what is in view. Press or drag in it to go there. For the pointer
 * only: the list and the search lead everywhere by keyboard.
 */
export function Minimap({ scene }: { scene: Scene }): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const { setCenter, getZoom } = useReactFlow();
  useDrawing(canvas, scene);
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
      style={size}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={go}
      className="plan-drawing absolute right-3 bottom-3 z-10 cursor-pointer touch-none overflow-hidden rounded-card border bg-surface"
    >
      <canvas ref={canvas} style={size} />
      <div
        ref={frame}
        className="pointer-events-none absolute top-0 left-0 rounded-small border border-accent bg-accent/10"
      />
    </div>
  );
}

/** How the plan lies on the map: pixels for each unit of the plan, and where its place 0,0 is. */
function placed(bounds: Rectangle): { scale: number; x: number; y: number } {
  const room = grown(bounds, 0.05);
  const scale = Math.min(size.width / room.width, size.height / room.height);
  return {
    scale,
    x: (size.width - bounds.width * scale) / 2 - bounds.x * scale,
    y: (size.height - bounds.height * scale) / 2 - bounds.y * scale,
  };
}

/** Draws the nodes, now and then. */
function useDrawing(canvas: { current: HTMLCanvasElement | null }, scene: Scene): void {
  const run = useEditor((state) => state.run);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const draw = useEffectEvent(() => {
    timer.current = undefined;
    if (canvas.current) drawMap(canvas.current, scene, looksOf(scene, runsByNode(run)).nodes);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what is drawn
  useEffect(() => {
    timer.current ??= setTimeout(() => draw(), shortestRound);
  }, [scene, run]);

  useEffect(() => {
    draw();
    const leave = onThemeChange(() => draw());
    return () => {
      leave();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, []);
}

function drawMap(canvas: HTMLCanvasElement, scene: Scene, looks: Uint8Array): void {
  const brush = canvas.getContext("2d");
  const bounds = boundsOf(scene);
  if (!brush) return;
  const density = window.devicePixelRatio;
  canvas.width = size.width * density;
  canvas.height = size.height * density;
  if (!bounds) return;
  const paints = paintsOf(canvas);
  const { scale, x, y } = placed(bounds);
  brush.setTransform(density, 0, 0, density, x * density, y * density);
  for (const number of scene.nodes.keys()) {
    const box = rectangleOf(scene, number);
    brush.fillStyle = paints[nodeLooks[looks[number] ?? 0] ?? "untouched"];
    const [width, height] = [box.width * scale, box.height * scale];
    brush.fillRect(
      box.x * scale,
      box.y * scale,
      Math.max(leastBlock, width),
      Math.max(leastBlock, height),
    );
  }
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
