import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { wholePlan } from "@/plan/largePlanFixture";
import { computeAppearances, nodeAppearances } from "./appearances";
import { type Call, createRecordingContext, namedCanvasColors } from "./canvasContextFixture";
import { DoubleBufferedCanvas } from "./DoubleBufferedCanvas";
import type { PaintInput } from "./paintInput";
import { createScene } from "./scene";

const scene = createScene(wholePlan(400), new Map());
const nobody: ReadonlySet<number> = new Set();
const subject: PaintInput = {
  scene,
  appearances: computeAppearances(scene, new Map()),
  marks: { troubled: nobody, critical: nobody, found: nobody, selected: nobody },
  skippedNodes: nobody,
  frames: [],
  onlyLines: undefined,
  textScale: 1,
};
const view = { x: 0, y: 0, zoom: 0.1, width: 1_000, height: 1_000 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A picture on two canvases that remember what was drawn on them. */
function framed() {
  const calls: Call[] = [];
  const canvases = [0, 1].map(() => {
    const canvas = document.createElement("canvas");
    const { context, calls: own } = createRecordingContext(canvas);
    own.push = (...more: Call[]) => calls.push(...more);
    canvas.getContext = (() => context) as unknown as typeof canvas.getContext;
    return canvas;
  }) as [HTMLCanvasElement, HTMLCanvasElement];
  let read = 0;
  const picture = new DoubleBufferedCanvas(canvases, () => {
    read += 1;
    return namedCanvasColors;
  });
  return {
    picture,
    canvases,
    /** How many nodes were drawn since it was last asked. */
    drawn: () => calls.splice(0).filter(({ name }) => name === "fillRect").length,
    /** How many lines were drawn since it was last asked. */
    linesDrawn: () => calls.splice(0).filter(({ name }) => name === "moveTo").length,
    colorsRead: () => read,
    seen: () => canvases.find((canvas) => canvas.hasAttribute("data-drawn")),
  };
}

function opened() {
  const frame = framed();
  frame.picture.follow(view);
  frame.picture.show(subject);
  return frame;
}

test("what is shown first is there at once, with nothing to wait for", () => {
  const { drawn, seen } = opened();
  expect(drawn()).toBe(400);
  expect(seen()?.style.visibility).toBe("");
});

test("a small move of the view moves the canvas and draws nothing", () => {
  const { picture, drawn, seen } = opened();
  drawn();
  const before = seen()?.style.transform;
  picture.follow({ ...view, x: 50 });
  vi.runAllTimers();
  expect(drawn()).toBe(0);
  expect(seen()?.style.transform).not.toBe(before);
});

test("a move beyond what was drawn brings another drawing, on the other canvas", () => {
  const { picture, drawn, seen } = opened();
  drawn();
  const before = seen();
  picture.follow({ ...view, x: 400 });
  vi.runAllTimers();
  expect(drawn()).toBeGreaterThan(0);
  expect(seen()).not.toBe(before);
});

test("a change of one state draws one node over the picture", () => {
  const { picture, drawn } = opened();
  drawn();
  const nodes = subject.appearances.nodes.slice();
  nodes[7] = nodeAppearances.indexOf("running");
  picture.show({ ...subject, appearances: { ...subject.appearances, nodes } });
  vi.runAllTimers();
  expect(drawn()).toBe(1);
});

test.each([
  ["marked", { marks: { ...subject.marks, found: new Set([1]) } }],
  ["written larger", { textScale: 2 }],
  ["lifted", { skippedNodes: new Set([3]) }],
])("what is %s brings another drawing", (_, change) => {
  const { picture, drawn } = opened();
  drawn();
  picture.show({ ...subject, ...change });
  vi.runAllTimers();
  expect(drawn()).toBeGreaterThan(390);
});

test("lines that are drawn alone are drawn anew when they are others, whatever is marked", () => {
  const { picture, linesDrawn } = framed();
  picture.follow(view);
  picture.show({ ...subject, onlyLines: [1, 2, 3] });
  expect(linesDrawn()).toBe(3);
  picture.show({
    ...subject,
    onlyLines: [1, 2, 3],
    marks: { ...subject.marks, found: new Set([1]) },
  });
  vi.runAllTimers();
  expect(linesDrawn()).toBe(0);
  picture.show({ ...subject, onlyLines: [1, 2, 4] });
  vi.runAllTimers();
  expect(linesDrawn()).toBe(3);
  picture.show({ ...subject, onlyLines: [] });
  picture.show(subject);
  vi.runAllTimers();
  expect(linesDrawn(), "then all of them are drawn").toBe(scene.lines.length);
});

test("colors are read once, until the theme changes", () => {
  const { picture, colorsRead } = opened();
  picture.redraw();
  vi.runAllTimers();
  expect(colorsRead()).toBe(1);
  picture.reloadColors();
  vi.runAllTimers();
  expect(colorsRead()).toBe(2);
});

test("a picture that is closed draws nothing more", () => {
  const { picture, drawn } = opened();
  drawn();
  picture.redraw();
  picture.close();
  vi.runAllTimers();
  expect(drawn()).toBe(0);
});
