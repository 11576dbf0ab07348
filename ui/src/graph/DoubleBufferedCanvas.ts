import type { Rectangle } from "@/plan/geometry";
import { changedIndices } from "./appearances";
import type { CanvasColors } from "./canvasColors";
import type { PaintInput, PaintRegion } from "./paintInput";
import { paintPlan, repaintNodes } from "./paintPlan";
import { type CanvasViewport, visibleArea } from "./renderWindow";

/** How much is drawn beyond the view on each side, as a part of it, so that a move of the view shows what is there. */
const margin = 0.2;
/** How long drawing may take of one frame, in milliseconds; and as long as there is nothing to see yet. */
const frameBudgetMs = 7;
const firstFrameBudgetMs = 40;
/** After so long without a move, what was stretched is drawn anew, in milliseconds. */
const restDelayMs = 140;
/** What is not urgent is drawn anew at most so often, in milliseconds. */
const minRedrawIntervalMs = 400;
/** A change of so many nodes is drawn over the picture; of more, the picture is drawn anew. */
const maxRepaintedNodes = 1_000;
/** A drawing that is stretched by more than this is drawn anew at once. */
const maxStretch = 1.8;
/** So many pixels at most, for the sake of memory: four bytes each, twice. */
const maxPixels = 12_000_000;

type Canvases = readonly [HTMLCanvasElement, HTMLCanvasElement];

/**
 * A drawing of a plan that is larger than the view and moves with it as a picture does. It is drawn anew on a second
 * canvas, a portion each frame, and then takes the place of the first: no frame waits for 10,000 nodes.
 */
export class DoubleBufferedCanvas {
  readonly #canvases: Canvases;
  readonly #paintsOf: () => CanvasColors;
  /** Which of the canvases is seen. */
  #front = 0;
  #shown: PaintRegion | undefined;
  #subject: PaintInput | undefined;
  #view: CanvasViewport | undefined;
  #job:
    | { steps: Generator<undefined, void>; frame: PaintRegion; canvasColors: CanvasColors }
    | undefined;
  /** What is seen is not what it should show. */
  #old = true;
  /** Nodes that changed since the drawing under way was begun. */
  #changed: number[] = [];
  #paints: CanvasColors | undefined;
  /** The colors of the theme as it is: reading them takes as long as drawing hundreds of nodes. */
  #palette: CanvasColors | undefined;
  #tick = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor(canvases: Canvases, paintsOf: () => CanvasColors) {
    this.#canvases = canvases;
    this.#paintsOf = paintsOf;
  }

  /** Shows something: anew when anything lies elsewhere, and otherwise only where it looks different. */
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

  /** Draws all of it anew, in other colors. */
  reloadColors(): void {
    this.#palette = undefined;
    this.redraw();
  }

  /** Draws all of it anew. */
  redraw(): void {
    this.#old = true;
    this.#begin();
  }

  /** Follows the view. */
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

  /** Draws nodes over what is there. */
  #change(numbers: readonly number[]): void {
    if (this.#job) this.#changed.push(...numbers);
    if (this.#shown && this.#paints) this.#over(this.#shown, this.#paints, numbers);
  }

  /** Draws all of it anew in a moment: what is seen meanwhile is old only in its lines. */
  #drawSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.redraw();
    }, minRedrawIntervalMs);
  }

  /** Whether the drawing leaves out something that is in view, or shows it too coarse. */
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

  /** Puts the picture where the view has its part of the plan. */
  #place(): void {
    const canvas = this.#canvases[this.#front];
    if (!this.#shown || !this.#view || !canvas) return;
    const { part, zoom } = this.#shown;
    const { x, y, zoom: now } = this.#view;
    canvas.style.transform = `translate(${part.x * now + x}px,${part.y * now + y}px) scale(${now / zoom})`;
  }
}

/** Whether everything lies where it lay, and is marked as it was. Lines that are drawn alone bear no marks. */
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

/** The part of the plan to draw for a view, at the view's own size, and on its pixels: else letters are blurred. */
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
  // A canvas that is given a size is emptied, and its memory made anew.
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}
