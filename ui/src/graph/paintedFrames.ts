import { overlap } from "@/plan/geometry";
import { titleWords } from "@/plan/nodeWords";
import { frameHead, frameMargin, type Frame as GroupFrame } from "./frames";
import type { Frame, Subject } from "./painting";
import type { Paints } from "./paints";
import { rowsOf } from "./titleRows";

/** The size of a name as it is seen, in pixels, whatever the zoom. */
const letterSize = 12;
/** A frame that is seen narrower than this has no room for a name, in pixels. */
const leastNamed = 36;
const framesAtOnce = 100;

/** Draws the frames of groups, below everything: the tint and the border. */
export function* paintFrames(
  brush: CanvasRenderingContext2D,
  { frames }: Pick<Subject, "frames">,
  { part, zoom }: Frame,
  paints: Paints,
): Generator<undefined, void> {
  const inPart = frames.filter(({ box }) => overlap(box, part));
  for (const [at, frame] of inPart.entries()) {
    paintFrame(brush, frame, zoom, paints);
    if (at % framesAtOnce === framesAtOnce - 1) yield;
  }
  yield;
}

/** Draws the names of groups, over everything: as much of each as its frame is wide. */
export function* paintNames(
  brush: CanvasRenderingContext2D,
  { frames, letters }: Pick<Subject, "frames" | "letters">,
  { part, zoom }: Frame,
  paints: Paints,
): Generator<undefined, void> {
  const size = (letterSize * letters) / zoom;
  // A name stands above its frame.
  const below = { ...part, height: part.height + size };
  const inPart = frames.filter(
    ({ box }) => box.width * zoom >= leastNamed * letters && overlap(box, below),
  );
  for (const [at, frame] of inPart.entries()) {
    paintName(brush, frame, size, paints);
    if (at % framesAtOnce === framesAtOnce - 1) yield;
  }
}

function paintFrame(
  brush: CanvasRenderingContext2D,
  { group, box }: GroupFrame,
  zoom: number,
  paints: Paints,
): void {
  const { ground, border } = paints.tints[group.colour];
  brush.beginPath();
  brush.roundRect(box.x, box.y, box.width, box.height, 10);
  brush.fillStyle = ground;
  brush.fill();
  brush.lineWidth = Math.max(1, 1 / zoom);
  brush.strokeStyle = border;
  brush.stroke();
}

// Above the members, as the element has it, and out of the frame where there is no room for it below the border.
function paintName(
  brush: CanvasRenderingContext2D,
  { group, box }: GroupFrame,
  size: number,
  paints: Paints,
): void {
  const inset = Math.min(size / 2, frameHead);
  brush.font = `500 ${size}px "Inter Variable", sans-serif`;
  brush.textBaseline = "bottom";
  brush.fillStyle = paints.text;
  const [name = ""] = rowsOf(brush, titleWords(group.title), size, box.width - inset, 1);
  const bottom = Math.min(size + 6, frameHead + frameMargin - 2);
  brush.fillText(name, box.x + inset, box.y + bottom);
}
