import { maxNodesWithoutCulling, type RenderWindow } from "./renderWindow";
import { linesIn, nodesIn, type Scene } from "./scene";

/** Who is made of elements: nodes and lines by their numbers in the scene. Everybody else is at most drawn. Pure. */
export interface RenderedElements {
  nodes: readonly number[];
  /** Nodes of which there is no element: ends of lines that are elements. */
  endpoints: readonly number[];
  lines: readonly number[];
  /** Lines in sight that are too many for elements: they are drawn. */
  canvasLines: readonly number[];
}

/**
 * More lines than these are not made of elements, wherever they lead: of 1,200 in view, a jump to another part of the plan
 * took half a second.
 */
const maxLineElements = 400;
/** Of a large selection the rest is drawn. */
export const maxPinnedElements = 40;

/**
 * The cast for what is in sight. Nodes of `kept` are in it wherever they lie: those that are selected, dragged, under
 * the pointer or looked for. From afar nobody else is, and lines are only those of `held` and where a node of `moving`
 * pulls them. Nearby, of too many lines those are elements whose ends can be seen.
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

/** Lines of which both ends are there, then those with one, then those that only pass by. */
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

/** Everybody. */
export function allElements({ nodes, lines }: Scene): RenderedElements {
  return { nodes: [...nodes.keys()], endpoints: [], lines: [...lines.keys()], canvasLines: [] };
}

/** The cast with the ends of its lines. */
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

// In plan order, so that a node keeps its place among the elements whatever comes and goes around it.
function sortedNumbers(numbers: Iterable<number>): number[] {
  return [...numbers].sort((one, other) => one - other);
}
