import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { wholePlan } from "@/plan/largePlanFixture";
import { type Call, countingBrush, namedPaints } from "./brushFixture";
import { looksOf, nodeLooks } from "./looks";
import { Picture } from "./Picture";
import type { Subject } from "./painting";
import { sceneOf } from "./scene";

const scene = sceneOf(wholePlan(400), new Map());
const nobody: ReadonlySet<number> = new Set();
const subject: Subject = {
  scene,
  looks: looksOf(scene, new Map()),
  marks: { troubled: nobody, critical: nobody, found: nobody, selected: nobody },
  lifted: nobody,
  frames: [],
  only: undefined,
  letters: 1,
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
    const { brush, calls: own } = countingBrush(canvas);
    own.push = (...more: Call[]) => calls.push(...more);
    canvas.getContext = (() => brush) as unknown as typeof canvas.getContext;
    return canvas;
  }) as [HTMLCanvasElement, HTMLCanvasElement];
  let read = 0;
  const picture = new Picture(canvases, () => {
    read += 1;
    return namedPaints;
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
  const nodes = subject.looks.nodes.slice();
  nodes[7] = nodeLooks.indexOf("running");
  picture.show({ ...subject, looks: { ...subject.looks, nodes } });
  vi.runAllTimers();
  expect(drawn()).toBe(1);
});

test.each([
  ["marked", { marks: { ...subject.marks, found: new Set([1]) } }],
  ["written larger", { letters: 2 }],
  ["lifted", { lifted: new Set([3]) }],
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
  picture.show({ ...subject, only: [1, 2, 3] });
  expect(linesDrawn()).toBe(3);
  picture.show({
    ...subject,
    only: [1, 2, 3],
    marks: { ...subject.marks, found: new Set([1]) },
  });
  vi.runAllTimers();
  expect(linesDrawn()).toBe(0);
  picture.show({ ...subject, only: [1, 2, 4] });
  vi.runAllTimers();
  expect(linesDrawn()).toBe(3);
  picture.show({ ...subject, only: [] });
  picture.show(subject);
  vi.runAllTimers();
  expect(linesDrawn(), "then all of them are drawn").toBe(scene.lines.length);
});

test("colors are read once, until the theme changes", () => {
  const { picture, colorsRead } = opened();
  picture.redraw();
  vi.runAllTimers();
  expect(colorsRead()).toBe(1);
  picture.recolour();
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
