import type { GraphThumbnail, PlanSummary } from "@/api/bindings";
import { type NodeStateName, nodeStates } from "@/components/nodeState";

/** The size of the picture on a card, in the units of its shapes. */
export const pictureSize = { width: 264, height: 64 };
/** A node is never drawn larger than this part of its size on the canvas. */
const maxScale = 0.2;
/** How much more one axis may shrink than the other, so that a long chain is still readable. */
const maxStretch = 4;
/** How much of its cell a shape covers that stands for several nodes. */
const cellPart = 0.7;

export interface ThumbnailShape {
  x: number;
  y: number;
  isAgent: boolean;
  /** Above 0, up to 1: how many nodes it stands for, if the shapes stand for several. */
  density?: number;
  /** The state of its node in the last run. */
  state?: NodeStateName;
}

interface CardThumbnailShapes {
  width: number;
  height: number;
  shapes: ThumbnailShape[];
  /** An SVG path of all links, from middle to middle. */
  links: string;
}

/** Scales a thumbnail so that it fills the picture of a card, in its middle. Pure. */
export function cardThumbnail(graph: GraphThumbnail, plan: PlanSummary): CardThumbnailShapes {
  const [scaleX, scaleY] = scales(graph);
  const most = Math.max(1, ...graph.blocks.map(({ nodes }) => nodes));
  // Cells of a grid touch each other, and would hide their links.
  const part = most > 1 ? cellPart : 1;
  const [width, height] = [graph.blockWidth * scaleX * part, graph.blockHeight * scaleY * part];
  const inset = (1 - part) / part / 2;
  const left = (pictureSize.width - graph.width * scaleX) / 2 + width * inset;
  const top = (pictureSize.height - graph.height * scaleY) / 2 + height * inset;
  const states = statesOf(graph, plan);
  const shapes = graph.blocks.map(({ x, y, nodes, isAgent }, at) => ({
    x: round(left + x * scaleX),
    y: round(top + y * scaleY),
    isAgent,
    ...(most > 1 && { density: nodes / most }),
    ...(states[at] !== undefined && { state: states[at] }),
  }));
  const middle = ({ x, y }: ThumbnailShape) => `${round(x + width / 2)} ${round(y + height / 2)}`;
  const links = graph.links.flatMap(([parent, child]) => {
    const [from, to] = [shapes[parent], shapes[child]];
    return from && to ? [`M${middle(from)}L${middle(to)}`] : [];
  });
  return { width: round(width), height: round(height), shapes, links: links.join("") };
}

function scales({ width, height }: GraphThumbnail): [number, number] {
  const x = Math.min(maxScale, pictureSize.width / Math.max(1, width));
  const y = Math.min(maxScale, pictureSize.height / Math.max(1, height));
  return [Math.min(x, y * maxStretch), Math.min(y, x * maxStretch)];
}

/** The states of the nodes, if the last run executed this version and each block is one node. */
function statesOf({ blocks }: GraphThumbnail, plan: PlanSummary): (NodeStateName | undefined)[] {
  const { lastRun, tally, version } = plan;
  const fits =
    lastRun?.version === version &&
    lastRun.progress.length === blocks.length &&
    (tally?.total ?? blocks.length) === blocks.length;
  if (!fits) return [];
  return lastRun.progress.map((status) =>
    status === "failed_skipped" ? "failed" : nodeStates.find((state) => state === status),
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
