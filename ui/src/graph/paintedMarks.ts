import type { Frame, Subject } from "./painting";
import type { Paints } from "./paints";
import { rectangleOf } from "./scene";
import { crowdedZoom } from "./sight";

/** What nodes are marked as in a drawing, beside their state: the numbers of those that are. */
export interface Marks {
  /** Something about them keeps the plan from being saved. */
  troubled: ReadonlySet<number>;
  critical: ReadonlySet<number>;
  /** What is looked for is found in them. */
  found: ReadonlySet<number>;
  selected: ReadonlySet<number>;
}

export type Mark = keyof Marks;

/** What is drawn last is seen where a node has several marks. */
const paintedInOrder: readonly Mark[] = ["troubled", "critical", "found", "selected"];
const marksAtOnce = 500;

/** Draws the outlines of those of `numbers` that have a mark. */
export function* paintMarks(
  brush: CanvasRenderingContext2D,
  { scene, lifted, marks }: Subject,
  { zoom }: Frame,
  paints: Paints,
  numbers: readonly number[],
): Generator<undefined, void> {
  const gap = (zoom < crowdedZoom ? 0.5 : 2) / zoom;
  brush.setLineDash([]);
  brush.lineWidth = gap;
  for (const mark of paintedInOrder) {
    if (marks[mark].size === 0) continue;
    brush.strokeStyle = paints[mark];
    const marked = numbers.filter((number) => marks[mark].has(number) && !lifted.has(number));
    for (const [at, number] of marked.entries()) {
      const { x, y, width, height } = rectangleOf(scene, number);
      brush.strokeRect(x - gap, y - gap, width + 2 * gap, height + 2 * gap);
      if (at % marksAtOnce === marksAtOnce - 1) yield;
    }
  }
}
