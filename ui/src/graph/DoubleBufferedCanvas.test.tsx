import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { wholePlan } from "@/plan/largePlanFixture";
import { computeAppearances, nodeAppearances } from "./appearances";
import { type Call, createRecordingContext, namedCanvasColors } from "./canvasContextFixture";
import { DoubleBufferedCanvas } from "./DoubleBufferedCanvas";
import type { PaintInput } from "./paintInput";
import { createScene } from "./scene";

const scene = createScene(wholePlan(400), new Map());
const noNodes: ReadonlySet<number> = new Set();
const subject: PaintInput = {
  scene,
  appearances: computeAppearances(scene, new Map()),
  marks: { troubled: noNodes, critical: noNodes, found: noNodes, selected: noNodes },
  skippedNodes: noNodes,
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

/** A double-buffered canvas that records what was painted. */
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
    /** Returns how many nodes were painted since the last call. */
    drawn: () => calls.splice(0).filter(({ name }) => name === "fillRect").length,
    /** Returns how many lines were painted since the last call. */
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

test("the first picture is painted immediately", () => {
  const { drawn, seen } = opened();
  expect(drawn()).toBe(400);
  expect(seen()?.style.visibility).toBe("");
});

test("a small move of the view moves the canvas without painting", () => {
  const { picture, drawn, seen } = opened();
  drawn();
  const before = seen()?.style.transform;
  picture.follow({ ...view, x: 50 });
  vi.runAllTimers();
  expect(drawn()).toBe(0);
  expect(seen()?.style.transform).not.toBe(before);
});

test("a move beyond the picture repaints it on the other canvas", () => {
  const { picture, drawn, seen } = opened();
  drawn();
  const before = seen();
  picture.follow({ ...view, x: 400 });
  vi.runAllTimers();
  expect(drawn()).toBeGreaterThan(0);
  expect(seen()).not.toBe(before);
});

test("one changed state paints one node over the picture", () => {
  const { picture, drawn } = opened();
  drawn();
  const nodes = subject.appearances.nodes.slice();
  nodes[7] = nodeAppearances.indexOf("running");
  picture.show({ ...subject, appearances: { ...subject.appearances, nodes } });
  vi.runAllTimers();
  expect(drawn()).toBe(1);
});

test.each([
  ["the marks", { marks: { ...subject.marks, found: new Set([1]) } }],
  ["the text scale", { textScale: 2 }],
  ["the skipped nodes", { skippedNodes: new Set([3]) }],
])("a change of %s repaints everything", (_, change) => {
  const { picture, drawn } = opened();
  drawn();
  picture.show({ ...subject, ...change });
  vi.runAllTimers();
  expect(drawn()).toBeGreaterThan(390);
});

test("lines painted without nodes are repainted when the set changes, regardless of marks", () => {
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
  expect(linesDrawn(), "then all lines are painted").toBe(scene.lines.length);
});

test("colors are cached until the theme changes", () => {
  const { picture, colorsRead } = opened();
  picture.redraw();
  vi.runAllTimers();
  expect(colorsRead()).toBe(1);
  picture.reloadColors();
  vi.runAllTimers();
  expect(colorsRead()).toBe(2);
});

test("a closed canvas paints nothing more", () => {
  const { picture, drawn } = opened();
  drawn();
  picture.redraw();
  picture.close();
  vi.runAllTimers();
  expect(drawn()).toBe(0);
});
