// @vitest-environment node
import { expect, test } from "vitest";
import { wholePlan } from "@/plan/largePlanFixture";
import { planOf } from "@/plan/planFixture";
import { maxPinnedElements, selectRenderedElements } from "./renderedElements";
import { createScene } from "./scene";

const scene = createScene(wholePlan(10_000), new Map());
const near = { region: { x: 3_000, y: 1_000, width: 1_500, height: 900 }, overview: false };
const far = { ...near, overview: true };

test("zoomed in, nodes and lines of the region are elements, whatever the size of the plan", () => {
  const elements = selectRenderedElements(scene, near, [], []);
  expect(elements.nodes.length).toBe(60);
  expect(elements.lines.length).toBeLessThan(100);
  const there = new Set([...elements.nodes, ...elements.endpoints]);
  for (const number of elements.lines) {
    const line = scene.lines[number];
    expect(there.has(line?.parent ?? -1) && there.has(line?.child ?? -1)).toBe(true);
  }
  const endpoints = new Set(elements.endpoints);
  expect(elements.nodes.some((number) => endpoints.has(number))).toBe(false);
});

test("dragged and selected nodes are always elements", () => {
  expect(selectRenderedElements(scene, near, [9_999], []).nodes).toContain(9_999);
  expect(selectRenderedElements(scene, far, [7, 3], []).nodes).toEqual([3, 7]);
  expect(selectRenderedElements(scene, far, scene.nodes.keys(), []).nodes.length).toBe(
    maxPinnedElements,
  );
});

test("zoomed out, only dragged nodes have lines", () => {
  expect(selectRenderedElements(scene, far, [500], []).lines).toEqual([]);
  const { lines, endpoints } = selectRenderedElements(scene, far, [500], [500]);
  expect(lines.map((number) => scene.lines[number]?.key)).toEqual(["n400>n500", "n500>n600"]);
  expect(endpoints).toEqual([400, 600]);
});

test("zoomed out, a hovered or selected edge is an element, with its ends", () => {
  const { nodes, endpoints, lines } = selectRenderedElements(scene, far, [], [], [5]);
  expect([nodes, endpoints, lines]).toEqual([[], [5, 105], [5]]);
});

test("lines beyond the limit are painted, and none is dropped", () => {
  const whole = { region: { x: 0, y: 0, width: 99_999, height: 99_999 }, overview: false };
  const { lines, canvasLines } = selectRenderedElements(scene, whole, [], [], [9_000]);
  expect(lines.length).toBe(400);
  expect(new Set([...lines, ...canvasLines]).size).toBe(scene.lines.length);
  expect(lines, "a held line is still an element").toContain(9_000);
  expect(selectRenderedElements(scene, near, [], []).canvasLines).toEqual([]);
});

test("lines with visible ends are rendered first", () => {
  const hub = planOf(
    Array.from({ length: 3_000 }, (_, at) => `n${at}`),
    Array.from({ length: 2_999 }, (_, at) => `n0>n${at + 1}`),
  );
  const nodes = hub.nodes.map((node, at) => ({ ...node, position: { x: at * 300, y: 0 } }));
  const row = createScene({ ...hub, nodes }, new Map());
  const seen = { region: { x: 0, y: 0, width: 1_440, height: 900 }, overview: false };
  const { lines, canvasLines } = selectRenderedElements(row, seen, [], []);
  expect(lines).toEqual(expect.arrayContaining([0, 1, 2, 3]));
  expect(lines.length + canvasLines.length).toBe(2_999);
});

test("a small plan is rendered entirely as elements", () => {
  const small = createScene(wholePlan(150), new Map());
  const elements = selectRenderedElements(
    small,
    { ...far, region: { x: 0, y: 0, width: 1, height: 1 } },
    [],
    [],
  );
  expect([elements.nodes.length, elements.endpoints.length, elements.lines.length]).toEqual([
    150, 0, 50,
  ]);
});
