import { linesIn, nodesIn, type Scene } from "./scene";
import { mostWhole, type Sight } from "./sight";

/** Who is made of elements: nodes and lines by their numbers in the scene. Everybody else is at most drawn. Pure. */
export interface Cast {
  nodes: readonly number[];
  /** Nodes of which there is no element: ends of lines that are elements. */
  ends: readonly number[];
  lines: readonly number[];
}

/** More lines than these are not made of elements, wherever they lead. */
const mostLines = 1_200;
/** Of a large selection the rest is drawn. */
export const mostKept = 40;

/**
 * The cast for what is in sight. Nodes of `kept` are in it wherever they lie: those that are selected, dragged, under
 * the pointer or looked for. From afar nobody else is, and lines are only where a node of `moving` pulls them.
 */
export function castOf(
  scene: Scene,
  sight: Sight,
  kept: Iterable<number>,
  moving: readonly number[],
): Cast {
  if (scene.nodes.length <= mostWhole) return wholeCast(scene);
  const nodes = new Set(sight.far ? [] : nodesIn(scene, sight.region));
  let left = mostKept;
  for (const number of kept) {
    if (left === 0) break;
    left -= 1;
    nodes.add(number);
  }
  const lines = sight.far
    ? moving.flatMap((number) => scene.linesAt[number] ?? [])
    : linesIn(scene, sight.region);
  return closed(scene, sorted(nodes), sorted(new Set(lines.slice(0, mostLines))));
}

/** Everybody. */
export function wholeCast({ nodes, lines }: Scene): Cast {
  return { nodes: [...nodes.keys()], ends: [], lines: [...lines.keys()] };
}

/** The cast with the ends of its lines. */
function closed(scene: Scene, nodes: readonly number[], lines: readonly number[]): Cast {
  const there = new Set(nodes);
  const ends = new Set<number>();
  for (const number of lines) {
    const line = scene.lines[number];
    if (!line) continue;
    for (const end of [line.parent, line.child]) if (!there.has(end)) ends.add(end);
  }
  return { nodes, ends: sorted(ends), lines };
}

// In plan order, so that a node keeps its place among the elements whatever comes and goes around it.
function sorted(numbers: Iterable<number>): number[] {
  return [...numbers].sort((one, other) => one - other);
}
