// @vitest-environment node
import { expect, test } from "vitest";
import type { Group, Node } from "@/api/bindings";
import { wholePlan } from "@/plan/largePlanFixture";
import { criticalPathFrom } from "@/plan/usePlanTiming";
import { computeAppearances } from "./appearances";
import { createRecordingContext, namedCanvasColors } from "./canvasContextFixture";
import type { Marks } from "./marks";
import type { PaintInput, PaintRegion } from "./paintInput";
import { paintPlan, repaintNodes } from "./paintPlan";
import { createScene } from "./scene";
import { wrapTitle } from "./wrapTitle";

const scene = createScene(wholePlan(2_000), new Map());
const nobody: ReadonlySet<number> = new Set();
const nothingMarked: Marks = {
  troubled: nobody,
  critical: nobody,
  found: nobody,
  selected: nobody,
};

const subject: PaintInput = {
  scene,
  appearances: computeAppearances(scene, new Map()),
  marks: nothingMarked,
  skippedNodes: nobody,
  frames: [],
  onlyLines: undefined,
  textScale: 1,
};
const whole: PaintRegion = {
  part: { x: 0, y: 0, width: 6_000, height: 10_000 },
  zoom: 0.1,
  density: 1,
};
function painted(change: Partial<PaintInput>, frame: PaintRegion = whole) {
  const { context, calls } = createRecordingContext();
  const steps = [...paintPlan(context, { ...subject, ...change }, frame, namedCanvasColors)].length;
  return {
    steps,
    calls,
    asked: (name: string) => calls.filter((call) => call.name === name).length,
  };
}

test("everything in the frame is drawn, in portions", () => {
  const { steps, asked } = painted({});
  expect(asked("fillRect")).toBe(2_000);
  expect(asked("moveTo")).toBe(1_900);
  expect(asked("stroke"), "a path of a few lines at a time").toBeGreaterThan(5);
  expect(steps, "whoever asks may stop in between").toBeGreaterThan(14);
});

test("what is out of the frame is not drawn", () => {
  const { asked } = painted({}, { ...whole, part: { x: 3_000, y: 0, width: 500, height: 500 } });
  expect(asked("fillRect")).toBeLessThan(20);
  expect(asked("moveTo")).toBeLessThan(30);
});

test("a node that is lifted is not drawn, nor are its lines", () => {
  const { asked } = painted({ skippedNodes: new Set([500]) });
  expect(asked("fillRect")).toBe(1_999);
  expect(asked("moveTo")).toBe(1_898);
});

test("a change of one node draws one block", () => {
  const { context, calls } = createRecordingContext();
  repaintNodes(context, subject, whole, namedCanvasColors, [7]);
  expect(calls.map(({ name }) => name).filter((name) => name !== "setTransform")).toEqual([
    "fillRect",
    "setLineDash",
  ]);
});

test.each(["selected", "found", "critical", "troubled"] as const)(
  "nodes that are %s have an outline each in its own color",
  (mark) => {
    const { calls } = painted({ marks: { ...nothingMarked, [mark]: new Set([1, 2, 3]) } });
    const outlines = calls.filter(({ name }) => name === "strokeRect");
    expect(outlines.map(({ stroke }) => stroke)).toEqual([mark, mark, mark]);
  },
);

test("the critical path is drawn over all other lines, and twice as wide", () => {
  const critical = criticalPathFrom(["n5", "n105", "n205"]);
  const { calls } = painted({ appearances: computeAppearances(scene, new Map(), critical) });
  const strokes = calls.filter(({ name }) => name === "stroke");
  expect(strokes.at(-1)).toMatchObject({ stroke: "critical", width: 2 * (strokes[0]?.width ?? 0) });
});

test("a group lies below everything, in its color, and its name is as large as it is seen", () => {
  const group: Group = { id: "g", title: "Backend", colour: "teal", nodes: ["n1"] };
  const box = { x: 0, y: 0, width: 1_200, height: 600 };
  const { calls } = painted({ frames: [{ group, box }] });
  const names = calls.map(({ name }) => name);
  expect(names.indexOf("roundRect")).toBeLessThan(names.indexOf("moveTo"));
  expect(calls.find(({ name }) => name === "fill")?.fill).toBe("teal ground");
  expect(calls.find(({ name }) => name === "fillText")).toMatchObject({
    words: "Backend",
    font: '500 120px "Inter Variable", sans-serif',
  });
  const narrow = painted({ frames: [{ group, box: { ...box, width: 300 } }] });
  expect(narrow.asked("fillText"), "30 pixels have no room for a name").toBe(0);
});

test("a colored note is a block in its color", () => {
  const plan = wholePlan(2);
  const kind: Node["kind"] = { kind: "note", text: "", size: null, colour: "red" };
  const nodes = plan.nodes.map((node, at) => (at === 1 ? { ...node, kind } : node));
  const colored = createScene({ ...plan, nodes }, new Map());
  const { calls } = painted({
    scene: colored,
    appearances: computeAppearances(colored, new Map()),
  });
  const blocks = calls.filter(({ name }) => name === "fillRect");
  expect(blocks.map(({ fill }) => fill).toSorted()).toEqual(["red block", "untouched"]);
});

test("lines that alone are drawn leave all else to elements, and end in points where those do", () => {
  const near = { ...whole, zoom: 0.5 };
  const { asked } = painted({ onlyLines: [0, 1, 2] }, near);
  expect([asked("fillRect"), asked("fillText"), asked("clearRect")]).toEqual([0, 0, 1]);
  expect(asked("moveTo"), "three lines and three points").toBe(6);
  expect(painted({ onlyLines: [0, 1, 2] }).asked("moveTo"), "far away there are no points").toBe(3);
});

test.each([
  [1, "24px", 2],
  [1.15, "28px", 2],
  [2, "40px", 1],
])("titles grow with text of %d times the usual", (letters, size, rows) => {
  const nodes = wholePlan(1).nodes.map((node) => ({ ...node, title: "several words that go on" }));
  const one = createScene({ nodes, edges: [] }, new Map());
  const close = { part: { x: 0, y: 0, width: 400, height: 400 }, zoom: 0.5, density: 1 };
  const { calls } = painted(
    { scene: one, appearances: computeAppearances(one, new Map()), textScale: letters },
    close,
  );
  const titles = calls.filter(({ name }) => name === "fillText");
  expect(titles.length).toBe(rows);
  expect(titles[0]?.font).toContain(` ${size} `);
});

test.each([
  ["Short", ["Short"]],
  ["two words", ["two words"]],
  ["several words here", ["several", "words here"]],
  ["several words that go on and on", ["several", "words tha…"]],
  ["unbreakableword", ["unbreakabl", "eword"]],
])("the title %j stands on at most two rows", (title, rows) => {
  const measure = { measureText: (text: string) => ({ width: text.length }) as TextMetrics };
  expect(wrapTitle(measure, title, 24, 10)).toEqual(rows);
});
