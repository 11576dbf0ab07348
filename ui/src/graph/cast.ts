import { linesIn, nodesIn, type Scene } from "./scene";
import { mostWhole, type Sight } from "./sight";

/** Who is made of elements: nodes and lines by their numbers in the scene. Everybody else is at most drawn. Pure. */
export interface Cast {
  nodes: readonly number[];
  /** Nodes of which there is no element: ends of lines that are elements. */
  ends: readonly number[];
  lines: readonly number[];
  /** Lines in sight that are too many for elements: they are drawn. */
  rest: readonly number[];
}

/**
 * More lines than these are not made of elements, wherever they lead: of 1,200 in view, a jump to another part of the plan
 * took half a second.
 */
const mostLines = 400;
/** Of a large selection the rest is drawn. */
export const mostKept = 40;

/**
 * The cast for what is in sight. Nodes of `kept` are in it wherever they lie: those that are selected, dragged, under
 * the pointer or looked for. From afar nobody else is, and lines are only those of `held` and where a node of `moving`
 * pulls them. Nearby, of too many lines those are elements whose ends can be seen.
 */
export function castOf(
  scene: Scene,
  sight: Sight,
  kept: Iterable<number>,
  moving: readonly number[],
  held: readonly number[] = [],
): Cast {
  if (scene.nodes.length <= mostWhole) return wholeCast(scene);
  const nodes = new Set(sight.far ? [] : nodesIn(scene, sight.region));
  let left = mostKept;
  for (const number of kept) {
    if (left === 0) break;
    left -= 1;
    nodes.add(number);
  }
  const first = [...held, ...moving.flatMap((number) => scene.linesAt[number] ?? [])];
  const inSight = sight.far ? [] : linesIn(scene, sight.region);
  if (first.length + inSight.length <= mostLines)
    return closed(scene, sorted(nodes), sorted(new Set([...first, ...inSight])), []);
  const ranked = [...new Set([...first, ...byEnds(scene, inSight, nodes)])];
  const rest = sight.far ? [] : sorted(ranked.slice(mostLines));
  return closed(scene, sorted(nodes), sorted(ranked.slice(0, mostLines)), rest);
}

/** Lines of which both ends are there, then those with one, then those that only pass by. */
function byEnds(
  { lines }: Scene,
  numbers: readonly number[],
  there: ReadonlySet<number>,
): readonly number[] {
  const ranks: [number[], number[], number[]] = [[], [], []];
  for (const number of numbers) {
    const { parent, child } = lines[number] ?? { parent: -1, child: -1 };
    const ends = Number(there.has(parent)) + Number(there.has(child));
    ranks[2 - ends]?.push(number);
  }
  return ranks.flat();
}

/** Everybody. */
export function wholeCast({ nodes, lines }: Scene): Cast {
  return { nodes: [...nodes.keys()], ends: [], lines: [...lines.keys()], rest: [] };
}

/** The cast with the ends of its lines. */
function closed(
  scene: Scene,
  nodes: readonly number[],
  lines: readonly number[],
  rest: readonly number[],
): Cast {
  const there = new Set(nodes);
  const ends = new Set<number>();
  for (const number of lines) {
    const line = scene.lines[number];
    if (!line) continue;
    for (const end of [line.parent, line.child]) if (!there.has(end)) ends.add(end);
  }
  return { nodes, ends: sorted(ends), lines, rest };
}

// In plan order, so that a node keeps its place among the elements whatever comes and goes around it.
function sorted(numbers: Iterable<number>): number[] {
  return [...numbers].sort((one, other) => one - other);
}
