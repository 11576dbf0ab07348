import type { CanvasColors } from "./canvasColors";
import type { Mark } from "./marks";
import type { PaintInput, PaintRegion } from "./paintInput";
import { fineLineZoom } from "./renderWindow";
import { rectangleOf } from "./scene";

/** Where a node has several marks, the last one covers the others. */
const markPaintOrder: readonly Mark[] = ["troubled", "critical", "found", "selected"];
const marksPerBatch = 500;

/** Paints the outlines of the nodes in `numbers` that have a mark. */
export function* paintMarks(
  context: CanvasRenderingContext2D,
  { scene, skippedNodes, marks }: PaintInput,
  { zoom }: PaintRegion,
  canvasColors: CanvasColors,
  numbers: readonly number[],
): Generator<undefined, void> {
  const gap = (zoom < fineLineZoom ? 0.5 : 2) / zoom;
  context.setLineDash([]);
  context.lineWidth = gap;
  for (const mark of markPaintOrder) {
    if (marks[mark].size === 0) continue;
    context.strokeStyle = canvasColors[mark];
    const marked = numbers.filter((number) => marks[mark].has(number) && !skippedNodes.has(number));
    for (const [at, number] of marked.entries()) {
      const { x, y, width, height } = rectangleOf(scene, number);
      context.strokeRect(x - gap, y - gap, width + 2 * gap, height + 2 * gap);
      if (at % marksPerBatch === marksPerBatch - 1) yield;
    }
  }
}
