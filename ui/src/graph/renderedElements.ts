import { maxNodesWithoutCulling, type RenderWindow } from "./renderWindow";
import { linesIn, nodesIn, type Scene } from "./scene";

/**
 * The nodes and lines that are rendered as elements, by their indexes in the scene. Everything else
 * is painted or invisible. Pure.
 */
export interface RenderedElements {
  nodes: readonly number[];
  /** Nodes that are only needed as the ends of rendered lines; they stay hidden. */
  endpoints: readonly number[];
  lines: readonly number[];
  /** Visible lines that exceed the limit for elements and are painted instead. */
  canvasLines: readonly number[];
}

/**
 * The most lines that are rendered as elements. With 1,200 lines in view, jumping to another part
 * of the plan took half a second.
 */
const maxLineElements = 400;
/** The most selected or dragged nodes that are rendered as elements; the rest are painted. */
export const maxPinnedElements = 40;

/**
 * Chooses the elements for a view. Nodes in `kept` (selected, dragged, hovered or revealed ones)
 * are always included. When zoomed out, only they are, with the lines in `held` and the lines of
 * nodes in `moving`. When zoomed in and there are too many lines, those with visible ends come
 * first.
 */
export function selectRenderedElements(
  scene: Scene,
  renderWindow: RenderWindow,
  kept: Iterable<number>,
  moving: readonly number[],
  held: readonly number[] = [],
): RenderedElements {
  if (scene.nodes.length <= maxNodesWithoutCulling) return allElements(scene);
  const nodes = new Set(renderWindow.overview ? [] : nodesIn(scene, renderWindow.region));
  let left = maxPinnedElements;
  for (const number of kept) {
    if (left === 0) break;
    left -= 1;
    nodes.add(number);
  }
  const first = [...held, ...moving.flatMap((number) => scene.linesAt[number] ?? [])];
  const inSight = renderWindow.overview ? [] : linesIn(scene, renderWindow.region);
  if (first.length + inSight.length <= maxLineElements)
    return withEndpoints(
      scene,
      sortedNumbers(nodes),
      sortedNumbers(new Set([...first, ...inSight])),
      [],
    );
  const ranked = [...new Set([...first, ...sortByRenderedEnds(scene, inSight, nodes)])];
  const canvasLines = renderWindow.overview ? [] : sortedNumbers(ranked.slice(maxLineElements));
  return withEndpoints(
    scene,
    sortedNumbers(nodes),
    sortedNumbers(ranked.slice(0, maxLineElements)),
    canvasLines,
  );
}

/** Sorts lines by how many of their ends are rendered: both, one, none. */
function sortByRenderedEnds(
  { lines }: Scene,
  numbers: readonly number[],
  there: ReadonlySet<number>,
): readonly number[] {
  const ranks: [number[], number[], number[]] = [[], [], []];
  for (const number of numbers) {
    const { parent, child } = lines[number] ?? { parent: -1, child: -1 };
    const endpoints = Number(there.has(parent)) + Number(there.has(child));
    ranks[2 - endpoints]?.push(number);
  }
  return ranks.flat();
}

/** Renders everything as elements. */
export function allElements({ nodes, lines }: Scene): RenderedElements {
  return { nodes: [...nodes.keys()], endpoints: [], lines: [...lines.keys()], canvasLines: [] };
}

/** Adds the ends of the lines that aren't rendered otherwise. */
function withEndpoints(
  scene: Scene,
  nodes: readonly number[],
  lines: readonly number[],
  canvasLines: readonly number[],
): RenderedElements {
  const there = new Set(nodes);
  const endpoints = new Set<number>();
  for (const number of lines) {
    const line = scene.lines[number];
    if (!line) continue;
    for (const end of [line.parent, line.child]) if (!there.has(end)) endpoints.add(end);
  }
  return { nodes, endpoints: sortedNumbers(endpoints), lines, canvasLines };
}

// Plan order keeps a node at the same position among the elements as others come and go.
function sortedNumbers(numbers: Iterable<number>): number[] {
  return [...numbers].sort((one, other) => one - other);
}
