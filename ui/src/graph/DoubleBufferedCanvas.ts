import type { Rectangle } from "@/plan/geometry";
import { changedIndices } from "./appearances";
import type { CanvasColors } from "./canvasColors";
import type { PaintInput, PaintRegion } from "./paintInput";
import { paintPlan, repaintNodes } from "./paintPlan";
import { type CanvasViewport, visibleArea } from "./renderWindow";

/**
 * How far the picture extends beyond each side of the view, as a fraction of its size, so that
 * panning doesn't show blank areas.
 */
const margin = 0.2;
/**
 * The time per frame for painting, in milliseconds. The first picture gets more, because nothing is
 * visible yet.
 */
const frameBudgetMs = 7;
const firstFrameBudgetMs = 40;
/**
 * The delay after the last change of the view until a stretched picture is repainted, in
 * milliseconds.
 */
const restDelayMs = 140;
/** The minimum interval between repaints that aren't urgent, in milliseconds. */
const minRedrawIntervalMs = 400;
/**
 * Up to this many changed nodes are painted over the picture; for more, everything is repainted.
 */
const maxRepaintedNodes = 1_000;
/** A picture stretched by more than this factor is repainted immediately. */
const maxStretch = 1.8;
/** Limits memory use: four bytes per pixel on each of two canvases. */
const maxPixels = 12_000_000;

type Canvases = readonly [HTMLCanvasElement, HTMLCanvasElement];

/**
 * A picture of a plan that is larger than the view and moves with it. Repaints happen on a second,
 * hidden canvas, one portion per frame, and then the canvases are swapped. So no frame has to wait
 * for 10,000 nodes.
 */
export class DoubleBufferedCanvas {
  readonly #canvases: Canvases;
  readonly #paintsOf: () => CanvasColors;
  /** The index of the visible canvas. */
  #front = 0;
  #shown: PaintRegion | undefined;
  #subject: PaintInput | undefined;
  #view: CanvasViewport | undefined;
  #job:
    | { steps: Generator<undefined, void>; frame: PaintRegion; canvasColors: CanvasColors }
    | undefined;
  /** Whether the visible picture is out of date. */
  #old = true;
  /** Nodes that changed while a repaint is in progress. */
  #changed: number[] = [];
  #paints: CanvasColors | undefined;
  /** Cached colors of the theme. Reading them takes as long as painting hundreds of nodes. */
  #palette: CanvasColors | undefined;
  #tick = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor(canvases: Canvases, paintsOf: () => CanvasColors) {
    this.#canvases = canvases;
    this.#paintsOf = paintsOf;
  }

  /**
   * Shows `subject`. Repaints everything if the layout changed, otherwise only nodes with another
   * appearance.
   */
  show(subject: PaintInput): void {
    const before = this.#subject;
    this.#subject = subject;
    if (!before || !hasSameLayout(before, subject)) {
      this.redraw();
      return;
    }
    const changed = changedIndices(before.appearances.nodes, subject.appearances.nodes);
    if (changed.length > maxRepaintedNodes) this.redraw();
    else this.#change(changed);
    if (changedIndices(before.appearances.lines, subject.appearances.lines).length > 0)
      this.#drawSoon();
  }

  /** Repaints everything after the theme changed. */
  reloadColors(): void {
    this.#palette = undefined;
    this.redraw();
  }

  /** Repaints everything. */
  redraw(): void {
    this.#old = true;
    this.#begin();
  }

  /** Moves the picture with the view, and repaints it where needed. */
  follow(view: CanvasViewport): void {
    this.#view = view;
    this.#place();
    if (this.#misses(view)) this.#old = true;
    this.#begin();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#shown?.zoom !== this.#view?.zoom) this.redraw();
    }, restDelayMs);
  }

  close(): void {
    cancelAnimationFrame(this.#tick);
    clearTimeout(this.#timer);
    clearTimeout(this.#soon);
    this.#job = undefined;
  }

  /** Paints changed nodes over the visible picture. */
  #change(numbers: readonly number[]): void {
    if (this.#job) this.#changed.push(...numbers);
    if (this.#shown && this.#paints) this.#over(this.#shown, this.#paints, numbers);
  }

  /** Schedules a repaint. Until then, only lines are out of date. */
  #drawSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.redraw();
    }, minRedrawIntervalMs);
  }

  /** Reports whether the picture doesn't cover the view, or is stretched too much. */
  #misses(view: CanvasViewport): boolean {
    if (!this.#shown || !this.#subject) return true;
    const stretched = view.zoom / this.#shown.zoom;
    if (stretched > maxStretch || stretched < 1 / maxStretch) return true;
    const { part } = this.#shown;
    const seen = visibleArea(view);
    return (
      seen.x < part.x ||
      seen.y < part.y ||
      seen.x + seen.width > part.x + part.width ||
      seen.y + seen.height > part.y + part.height
    );
  }

  #begin(): void {
    if (this.#job || !this.#old || !this.#subject || !this.#view) return;
    const context = this.#canvases[1 - this.#front]?.getContext("2d");
    if (!context) return;
    const frame = paintRegionOf(this.#view);
    this.#palette ??= this.#paintsOf();
    const canvasColors = this.#palette;
    resize(context.canvas, frame);
    this.#old = false;
    this.#changed = [];
    this.#job = {
      steps: paintPlan(context, this.#subject, frame, canvasColors),
      frame,
      canvasColors,
    };
    if (this.#shown) this.#tick = requestAnimationFrame(this.#work);
    else this.#work();
  }

  readonly #work = (): void => {
    const job = this.#job;
    if (!job) return;
    const until = performance.now() + (this.#shown ? frameBudgetMs : firstFrameBudgetMs);
    for (let done = false; !done; ) {
      done = job.steps.next().done === true;
      if (done) this.#swap(job.frame, job.canvasColors);
      else if (performance.now() >= until) {
        this.#tick = requestAnimationFrame(this.#work);
        return;
      }
    }
  };

  #swap(frame: PaintRegion, canvasColors: CanvasColors): void {
    this.#job = undefined;
    this.#front = 1 - this.#front;
    this.#shown = frame;
    this.#paints = canvasColors;
    for (const [at, canvas] of this.#canvases.entries()) {
      canvas.style.visibility = at === this.#front ? "" : "hidden";
      canvas.toggleAttribute("data-drawn", at === this.#front);
    }
    this.#place();
    this.#over(frame, canvasColors, this.#changed);
    if (this.#view && this.#misses(this.#view)) this.#old = true;
    this.#begin();
  }

  #over(frame: PaintRegion, canvasColors: CanvasColors, numbers: readonly number[]): void {
    const context = this.#canvases[this.#front]?.getContext("2d");
    if (context && this.#subject && numbers.length > 0)
      repaintNodes(context, this.#subject, frame, canvasColors, numbers);
  }

  /** Moves and scales the picture to match the view. */
  #place(): void {
    const canvas = this.#canvases[this.#front];
    if (!this.#shown || !this.#view || !canvas) return;
    const { part, zoom } = this.#shown;
    const { x, y, zoom: now } = this.#view;
    canvas.style.transform = `translate(${part.x * now + x}px,${part.y * now + y}px) scale(${now / zoom})`;
  }
}

/** Reports whether positions and marks are the same. Lines painted without nodes have no marks. */
function hasSameLayout(
  { appearances: _, ...one }: PaintInput,
  { appearances: __, ...other }: PaintInput,
): boolean {
  if (one.onlyLines && other.onlyLines)
    return (
      one.scene === other.scene &&
      one.skippedNodes === other.skippedNodes &&
      isSameList(one.onlyLines, other.onlyLines)
    );
  const keys = Object.keys(one) as (keyof typeof one)[];
  return keys.every((key) => one[key] === other[key]);
}

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((number, at) => number === other[at]);
}

/**
 * The region to paint for a view, at the view's zoom and aligned to whole pixels, because text
 * would be blurred otherwise.
 */
function paintRegionOf(view: CanvasViewport): PaintRegion {
  const { x, y, zoom, width, height } = view;
  const [aside, above] = [Math.round(width * margin), Math.round(height * margin)];
  const part: Rectangle = {
    x: (-x - aside) / zoom,
    y: (-y - above) / zoom,
    width: (width + 2 * aside) / zoom,
    height: (height + 2 * above) / zoom,
  };
  const pixels = part.width * part.height * view.zoom * view.zoom;
  const density = Math.min(window.devicePixelRatio, Math.sqrt(maxPixels / pixels));
  return { part, zoom: view.zoom, density };
}

function resize(canvas: HTMLCanvasElement, { part, zoom, density }: PaintRegion): void {
  const [width, height] = [Math.ceil(part.width * zoom), Math.ceil(part.height * zoom)];
  const [across, down] = [Math.ceil(width * density), Math.ceil(height * density)];
  // Setting the size clears a canvas and reallocates its memory.
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}
