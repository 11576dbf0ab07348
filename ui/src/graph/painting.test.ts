// @vitest-environment node
import { expect, test } from "vitest";
import { wholePlan } from "./largePlanFixture";
import { looksOf } from "./looks";
import { type Frame, type Paints, painting, paintOver, rowsOf, type Subject } from "./painting";
import { sceneOf } from "./scene";

const scene = sceneOf(wholePlan(2_000), new Map());
const nobody: ReadonlySet<number> = new Set();
const subject: Subject = {
  scene,
  looks: looksOf(scene, new Map()),
  selected: nobody,
  lifted: nobody,
};
const whole: Frame = {
  part: { x: 0, y: 0, width: 6_000, height: 10_000 },
  zoom: 0.1,
  density: 1,
};
const paints = new Proxy({}, { get: (_, name) => name }) as Paints;

/** A brush that counts what it is asked for. */
function brush() {
  const asked = new Map<string, number>();
  const count = (name: string) => () => {
    asked.set(name, (asked.get(name) ?? 0) + 1);
  };
  const target: Record<string, unknown> = { canvas: { width: 600, height: 1_000 } };
  const made = new Proxy(target, {
    get: (own, name: string) => own[name] ?? count(name),
    set: () => true,
  });
  return { asked, made: made as unknown as CanvasRenderingContext2D };
}

function painted(change: Partial<Subject>, frame: Frame = whole) {
  const { asked, made } = brush();
  const steps = [...painting(made, { ...subject, ...change }, frame, paints)].length;
  return { steps, asked: (name: string) => asked.get(name) ?? 0 };
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
  const { asked } = painted({ lifted: new Set([500]) });
  expect(asked("fillRect")).toBe(1_999);
  expect(asked("moveTo")).toBe(1_898);
});

test("a change of one node draws one block", () => {
  const { asked, made } = brush();
  paintOver(made, subject, whole, paints, [7]);
  expect(asked.get("fillRect")).toBe(1);
  expect(asked.get("clearRect")).toBeUndefined();
  expect(asked.get("moveTo")).toBeUndefined();
});

test("selected nodes have an outline each", () => {
  expect(painted({ selected: new Set([1, 2, 3]) }).asked("strokeRect")).toBe(3);
});

test.each([
  ["Short", ["Short"]],
  ["two words", ["two words"]],
  ["several words here", ["several", "words here"]],
  ["several words that go on and on", ["several", "words tha…"]],
  ["unbreakableword", ["unbreakabl", "eword"]],
])("the title %j stands on at most two rows", (title, rows) => {
  const measure = { measureText: (text: string) => ({ width: text.length }) as TextMetrics };
  expect(rowsOf(measure, title, 24, 10)).toEqual(rows);
});
