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
const noNodes: ReadonlySet<number> = new Set();
const nothingMarked: Marks = {
  troubled: noNodes,
  critical: noNodes,
  found: noNodes,
  selected: noNodes,
};

const subject: PaintInput = {
  scene,
  appearances: computeAppearances(scene, new Map()),
  marks: nothingMarked,
  skippedNodes: noNodes,
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

test("everything in the region is painted, in portions", () => {
  const { steps, asked } = painted({});
  expect(asked("fillRect")).toBe(2_000);
  expect(asked("moveTo")).toBe(1_900);
  expect(asked("stroke"), "each path has few lines").toBeGreaterThan(5);
  expect(steps, "the caller may pause in between").toBeGreaterThan(14);
});

test("nothing outside the region is painted", () => {
  const { asked } = painted({}, { ...whole, part: { x: 3_000, y: 0, width: 500, height: 500 } });
  expect(asked("fillRect")).toBeLessThan(20);
  expect(asked("moveTo")).toBeLessThan(30);
});

test("a skipped node is not painted, nor are its lines", () => {
  const { asked } = painted({ skippedNodes: new Set([500]) });
  expect(asked("fillRect")).toBe(1_999);
  expect(asked("moveTo")).toBe(1_898);
});

test("one changed node paints one block", () => {
  const { context, calls } = createRecordingContext();
  repaintNodes(context, subject, whole, namedCanvasColors, [7]);
  expect(calls.map(({ name }) => name).filter((name) => name !== "setTransform")).toEqual([
    "fillRect",
    "setLineDash",
  ]);
});

test.each(["selected", "found", "critical", "troubled"] as const)(
  "nodes that are %s have an outline in its own color",
  (mark) => {
    const { calls } = painted({ marks: { ...nothingMarked, [mark]: new Set([1, 2, 3]) } });
    const outlines = calls.filter(({ name }) => name === "strokeRect");
    expect(outlines.map(({ stroke }) => stroke)).toEqual([mark, mark, mark]);
  },
);

test("the critical path is painted above all other lines, and twice as wide", () => {
  const critical = criticalPathFrom(["n5", "n105", "n205"]);
  const { calls } = painted({ appearances: computeAppearances(scene, new Map(), critical) });
  const strokes = calls.filter(({ name }) => name === "stroke");
  expect(strokes.at(-1)).toMatchObject({ stroke: "critical", width: 2 * (strokes[0]?.width ?? 0) });
});

test("a group is below everything, in its color, and its title has a constant size on screen", () => {
  const group: Group = { id: "g", title: "Backend", color: "teal", nodes: ["n1"] };
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
  expect(narrow.asked("fillText"), "a title doesn't fit into 30 pixels").toBe(0);
});

test("a colored note is a block in its color", () => {
  const plan = wholePlan(2);
  const kind: Node["kind"] = { kind: "note", text: "", size: null, color: "red" };
  const nodes = plan.nodes.map((node, at) => (at === 1 ? { ...node, kind } : node));
  const colored = createScene({ ...plan, nodes }, new Map());
  const { calls } = painted({
    scene: colored,
    appearances: computeAppearances(colored, new Map()),
  });
  const blocks = calls.filter(({ name }) => name === "fillRect");
  expect(blocks.map(({ fill }) => fill).toSorted()).toEqual(["red block", "untouched"]);
});

test("lines painted alone leave everything else to elements, and have the same arrowheads", () => {
  const near = { ...whole, zoom: 0.5 };
  const { asked } = painted({ onlyLines: [0, 1, 2] }, near);
  expect([asked("fillRect"), asked("fillText"), asked("clearRect")]).toEqual([0, 0, 1]);
  expect(asked("moveTo"), "three lines and three arrowheads").toBe(6);
  expect(
    painted({ onlyLines: [0, 1, 2] }).asked("moveTo"),
    "zoomed out, there are no arrowheads",
  ).toBe(3);
});

test.each([
  [1, "24px", 2],
  [1.15, "28px", 2],
  [2, "40px", 1],
])("titles grow with a text scale of %d", (letters, size, rows) => {
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
])("the title %j is wrapped into at most two rows", (title, rows) => {
  const measure = { measureText: (text: string) => ({ width: text.length }) as TextMetrics };
  expect(wrapTitle(measure, title, 24, 10)).toEqual(rows);
});
