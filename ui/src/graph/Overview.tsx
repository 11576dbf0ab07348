import { useStore } from "@xyflow/react";
import { type ReactElement, useLayoutEffect, useRef } from "react";
import { type NodeStateName, nodeStates } from "@/components/nodeState";
import type { PlanEdge } from "./toEdges";
import type { CardNode, Flow } from "./toFlow";

/** A plan of many nodes from far away: blocks and lines in one drawing, under the empty pane that takes the pointer. */
export function Overview({ flow }: { flow: Flow }): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [x, y, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);

  useLayoutEffect(() => {
    const brush = canvas.current?.getContext("2d");
    if (!canvas.current || !brush) return;
    const density = window.devicePixelRatio;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.clearRect(0, 0, width * density, height * density);
    brush.setTransform(zoom * density, 0, 0, zoom * density, x * density, y * density);
    const hues = huesOf(canvas.current);
    drawEdges(brush, flow, hues, zoom);
    drawNodes(brush, flow.nodes, hues, zoom);
  }, [flow, x, y, zoom, width, height]);

  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={`${flow.nodes.length} nodes from far away; the list shows them by name`}
      width={width * window.devicePixelRatio}
      height={height * window.devicePixelRatio}
      style={{ width, height }}
      className="absolute inset-0"
    />
  );
}

type Hue = NodeStateName | "untouched" | "edge" | "path" | "selected";

const variables: Record<Exclude<Hue, NodeStateName>, string> = {
  untouched: "--active",
  edge: "--line",
  path: "--accent-fg",
  selected: "--accent",
};

/** The colours of the theme as the drawing takes them; the style sheet alone knows which theme it is. */
function huesOf(probe: HTMLElement): Record<Hue, string> {
  const read = (variable: string) => {
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  };
  const states = nodeStates.map((state) => [state, read(`--state-${state}`)]);
  const others = Object.entries(variables).map(([hue, variable]) => [hue, read(variable)]);
  return Object.fromEntries([...states, ...others]) as Record<Hue, string>;
}

function hueOf({ data: { look } }: CardNode): Hue {
  return !look || look.state === "pending" ? "untouched" : look.state;
}

function drawNodes(
  brush: CanvasRenderingContext2D,
  nodes: readonly CardNode[],
  hues: Record<Hue, string>,
  zoom: number,
): void {
  for (const node of nodes) {
    const { position, width = 0, height = 0 } = node;
    brush.fillStyle = hues[hueOf(node)];
    brush.fillRect(position.x, position.y, width, height);
    if (!node.selected) continue;
    brush.strokeStyle = hues.selected;
    brush.lineWidth = 2 / zoom;
    const gap = 2 / zoom;
    brush.strokeRect(position.x - gap, position.y - gap, width + 2 * gap, height + 2 * gap);
  }
}

function drawEdges(
  brush: CanvasRenderingContext2D,
  { nodes, edges }: Flow,
  hues: Record<Hue, string>,
  zoom: number,
): void {
  const places = new Map(nodes.map((node) => [node.id, node]));
  const stroke = (wanted: (edge: PlanEdge) => boolean, hue: Hue) => {
    brush.beginPath();
    for (const edge of edges) {
      const [from, to] = [places.get(edge.source), places.get(edge.target)];
      if (from && to && wanted(edge)) trace(brush, from, to);
    }
    brush.strokeStyle = hues[hue];
    brush.lineWidth = 1 / zoom;
    brush.stroke();
  };
  stroke((edge) => !edge.data?.onPath, "edge");
  stroke((edge) => edge.data?.onPath === true, "path");
}

function trace(brush: CanvasRenderingContext2D, from: CardNode, to: CardNode): void {
  const [startX, startY] = [
    from.position.x + (from.width ?? 0),
    from.position.y + (from.height ?? 0) / 2,
  ];
  const [endX, endY] = [to.position.x, to.position.y + (to.height ?? 0) / 2];
  const middle = (startX + endX) / 2;
  brush.moveTo(startX, startY);
  brush.bezierCurveTo(middle, startY, middle, endY, endX, endY);
}
