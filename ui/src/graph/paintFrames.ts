import { rectanglesOverlap } from "@/plan/geometry";
import { displayTitle } from "@/plan/nodeText";
import type { CanvasColors } from "./canvasColors";
import { frameHead, frameMargin, type Frame as GroupFrame } from "./frames";
import type { PaintInput, PaintRegion } from "./paintInput";
import { wrapTitle } from "./wrapTitle";

/** The font size of a group title on the screen, in pixels at every zoom. */
const labelFontSize = 12;
/** A frame narrower than this on the screen gets no title, in pixels. */
const minLabeledWidth = 36;
const framesPerBatch = 100;

/** Paints the tint and border of group frames, below everything else. */
export function* paintFrames(
  context: CanvasRenderingContext2D,
  { frames }: Pick<PaintInput, "frames">,
  { part, zoom }: PaintRegion,
  canvasColors: CanvasColors,
): Generator<undefined, void> {
  const inPart = frames.filter(({ box }) => rectanglesOverlap(box, part));
  for (const [at, frame] of inPart.entries()) {
    paintFrame(context, frame, zoom, canvasColors);
    if (at % framesPerBatch === framesPerBatch - 1) yield;
  }
  yield;
}

/** Paints the titles of groups, above everything else, cut to the width of their frames. */
export function* paintNames(
  context: CanvasRenderingContext2D,
  { frames, textScale }: Pick<PaintInput, "frames" | "textScale">,
  { part, zoom }: PaintRegion,
  canvasColors: CanvasColors,
): Generator<undefined, void> {
  const size = (labelFontSize * textScale) / zoom;
  // A title is above its frame.
  const below = { ...part, height: part.height + size };
  const inPart = frames.filter(
    ({ box }) => box.width * zoom >= minLabeledWidth * textScale && rectanglesOverlap(box, below),
  );
  for (const [at, frame] of inPart.entries()) {
    paintName(context, frame, size, canvasColors);
    if (at % framesPerBatch === framesPerBatch - 1) yield;
  }
}

function paintFrame(
  context: CanvasRenderingContext2D,
  { group, box }: GroupFrame,
  zoom: number,
  canvasColors: CanvasColors,
): void {
  const { ground, border } = canvasColors.tints[group.color];
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, 10);
  context.fillStyle = ground;
  context.fill();
  context.lineWidth = Math.max(1, 1 / zoom);
  context.strokeStyle = border;
  context.stroke();
}

// Above the members like the element, and out of the frame if there is no room below the border.
function paintName(
  context: CanvasRenderingContext2D,
  { group, box }: GroupFrame,
  size: number,
  canvasColors: CanvasColors,
): void {
  const inset = Math.min(size / 2, frameHead);
  context.font = `500 ${size}px "Inter Variable", sans-serif`;
  context.textBaseline = "bottom";
  context.fillStyle = canvasColors.text;
  const [name = ""] = wrapTitle(context, displayTitle(group.title), size, box.width - inset, 1);
  const bottom = Math.min(size + 6, frameHead + frameMargin - 2);
  context.fillText(name, box.x + inset, box.y + bottom);
}
